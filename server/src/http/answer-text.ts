import { decimalText } from '../domain/amount.ts';
import type { BotCommand, Discharge, Listing, Transfer, Verification } from '../domain/model.ts';
import { listingBody } from './listing-body.ts';

export const JSON_TYPE = 'application/json; charset=utf-8';

/** A body ready to be sent, and its length in bytes. */
export interface Body {
  /** Short ASCII stays text, which Node sends in one piece with the head; anything else is encoded here, once. */
  content: string | Buffer;
  length: number;
}

/** From here on copying a text costs more than a second piece. */
const SHORT_BYTES_MAX = 8_192;

export function toBody(text: string): Body {
  const length = Buffer.byteLength(text);
  const isShort = length === text.length && length <= SHORT_BYTES_MAX;
  return { content: isShort ? text : Buffer.from(text), length };
}

export function dischargeBody(discharge: Discharge): Body {
  return toBody(`{"success":true,"data":${dischargeText(discharge)}}`);
}

export function transferBody(transfer: Transfer): Body {
  return toBody(transferText(transfer));
}

export function verificationBody(verification: Verification): Body {
  return toBody(`{"success":true,"data":${verificationText(verification)}}`);
}

export function commandsBody(commands: readonly BotCommand[]): Body {
  return remembered(commands, () => `{"success":true,"data":[${commands.map(commandText).join(',')}]}`);
}

/** A listing answers one question, so its text is remembered with it alone. */
export function transactionsBody(
  playerId: string,
  query: { page: number; limit: number },
  listing: Listing,
): Body {
  return remembered(listing, () => listingBody(playerId, query, listing));
}

const POSTED: Record<'deposit' | 'withdrawal', Body> = {
  deposit: toBody('{"success":true,"message":"Transaction Posted (deposit)","type":"deposit"}'),
  withdrawal: toBody('{"success":true,"message":"Transaction Posted (withdrawal)","type":"withdrawal"}'),
};

export function postedBody(type: 'deposit' | 'withdrawal'): Body {
  return POSTED[type];
}

/** The headers of a post's answer, names and values in turn. */
export function postedHeaders(outcome: {
  transactionId: string;
  balanceUnits: number;
  replayed: boolean;
}): string[] {
  return [
    'transaction-id',
    outcome.transactionId,
    'account-balance',
    decimalText(outcome.balanceUnits),
    ...(outcome.replayed ? ['idempotency-replayed', 'true'] : []),
  ];
}

// What a store keeps in memory it gives out as the same object again and again, so that its text is written once and
// forgotten together with it. It hangs on the object itself: a weak map makes every collection of garbage dearer.
const TEXT = Symbol('text');

function remembered(source: object, write: () => string): Body {
  const holder: { [TEXT]?: Body } = source;
  holder[TEXT] ??= toBody(write());
  return holder[TEXT];
}

// Each field is named: what a store may hold beyond the interface never gets out.

function dischargeText(record: Discharge): string {
  const { id, guildId, chatId, playerId, name, reason, date, type, from, signed } = record;
  return JSON.stringify({ id, guildId, chatId, playerId, name, reason, date, type, from, signed });
}

function transferText(record: Transfer): string {
  const { id, guildId, playerId, name, date, from, to, signed } = record;
  return JSON.stringify({ id, guildId, playerId, name, date, from, to, signed });
}

function verificationText({ chatId, playerId, username, pastUsers }: Verification): string {
  const past = pastUsers.map((user) => ({ playerId: user.playerId, username: user.username }));
  return JSON.stringify({ chatId, playerId, username, pastUsers: past });
}

function commandText(command: BotCommand): string {
  const { category, name, description, extendedHelp, preconditions } = command;
  return JSON.stringify({ category, name, description, extendedHelp, preconditions });
}
