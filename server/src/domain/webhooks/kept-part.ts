/** Limits of the texts that are stored about an attempt. Each endpoint keeps 200 attempts. */
export const PAYLOAD_KEPT_MAX = 4_096;
export const ANSWER_KEPT_MAX = 1_024;

const CUT_MARK = '…';
// Line breaks and tabs stay. Other control characters and direction marks would change the text of the pages, and
// PostgreSQL stores no NUL.
const UNREADABLE = /[\p{Cs}\u2028\u2029\u061C\u200E\u200F\u202A-\u202E\u2066-\u2069]|(?![\n\t])\p{Cc}/gu;

/** The beginning of a text, at most `max` characters and a mark where it was cut. Undefined for an empty text. */
export function keptPart(text: string, max: number): string | undefined {
  const readable = text.slice(0, max).replaceAll(UNREADABLE, ' ');
  if (readable === '') {
    return undefined;
  }
  return text.length > max ? `${readable}${CUT_MARK}` : readable;
}
