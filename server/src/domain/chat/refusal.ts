import type { ChatRefusals, ChatTexts } from '../../texts/texts.ts';
import { DomainError } from '../errors.ts';
import type { ChatReply, ChatText } from './reply.ts';

/** Ends a command with a message for the caller alone. Its lines are chosen from the texts of the guild's language. */
export class Refusal extends Error {
  override name = 'Refusal';
  readonly linesIn: (texts: ChatTexts) => readonly ChatText[];

  constructor(linesIn: (texts: ChatTexts) => readonly ChatText[]) {
    super('a command was refused');
    this.linesIn = linesIn;
  }
}

/** The reply for a failure; undefined when it is a defect, which has to be logged. */
export function replyToFailure(error: unknown, texts: ChatTexts): ChatReply | undefined {
  const lines = linesFor(error, texts);
  return lines && { lines, tone: 'bad', isSeparate: true };
}

function linesFor(error: unknown, texts: ChatTexts): readonly ChatText[] | undefined {
  if (error instanceof Refusal) {
    return error.linesIn(texts);
  }
  if (!(error instanceof DomainError)) {
    return undefined;
  }
  if (error.code === 'invalid_input' && error.detail !== undefined) {
    const details: Readonly<Record<string, string>> = texts.details;
    return [texts.doesNotWork(details[error.detail] ?? error.detail)];
  }
  // Other codes are failures of the service.
  const refusals: ChatRefusals & { [Code in Exclude<DomainError['code'], keyof ChatRefusals>]?: never } =
    texts.refusals;
  const text: string | undefined = refusals[error.code];
  return text === undefined ? undefined : [text];
}
