import { DomainError, type ErrorCode } from '../errors.ts';
import type { ChatReply, ChatText } from './reply.ts';

/** Ends a command with a message for the caller alone. */
export class Refusal extends Error {
  override name = 'Refusal';
  readonly reply: ChatReply;

  constructor(...lines: ChatText[]) {
    super('a command was refused');
    this.reply = { lines, tone: 'bad', isSeparate: true };
  }
}

/** The replies to commands that break a rule, by error code. Other codes are failures of the service. */
const TEXTS: Partial<Record<ErrorCode, string>> = {
  guild_not_found: 'This server has no book yet. Somebody who manages it can create one in the dashboard.',
  user_not_found: 'Nobody by that name or account is verified.',
  transaction_not_found: 'There is no such transaction in this server.',
  not_sealed_yet: 'That transaction is not sealed yet. Please try again in a few seconds.',
  discharge_not_found: 'There is no discharge with this id in this server.',
  transfer_not_found: 'There is no transfer with this id in this server.',
  archived: 'That transaction is archived and can no longer be changed or shown here.',
  insufficient_funds: 'The balance does not cover this amount. Nothing was changed.',
  overdraft: 'The balance does not cover this amount. Nothing was changed.',
  overdraft_unconfirmed: 'The balance would fall below zero. Nothing was changed.',
  balance_out_of_range: 'The balance would be larger than can be kept. Nothing was changed.',
  already_reversed: 'That transaction has been reversed already.',
  is_reversal: 'That transaction is a reversal itself, and cannot be reversed.',
  idempotency_mismatch: 'This request was used before with other values. Nothing was changed.',
  plan_required: 'Looking people up needs a plan for this server.',
  store_unavailable: 'The book cannot be reached at the moment. Please try again shortly.',
  overloaded: 'The book is very busy at the moment. Please try again shortly.',
};

/** The reply for a failure; undefined when it is a defect, which has to be logged. */
export function replyToFailure(error: unknown): ChatReply | undefined {
  if (error instanceof Refusal) {
    return error.reply;
  }
  if (!(error instanceof DomainError)) {
    return undefined;
  }
  if (error.code === 'invalid_input' && error.detail !== undefined) {
    return { lines: [`That does not work: ${error.detail}.`], tone: 'bad', isSeparate: true };
  }
  const text = TEXTS[error.code];
  return text === undefined ? undefined : { lines: [text], tone: 'bad', isSeparate: true };
}
