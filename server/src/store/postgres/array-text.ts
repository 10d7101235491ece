import type { Scalar } from '../sql.ts';

const SPECIAL = /["\\]/;
const EACH_SPECIAL = /["\\]/g;

/**
 * The text form of an array. The driver's own conversion escapes numbers as well and costs several times as much, which
 * counts for the many arrays of a post.
 */
export function arrayText(values: readonly (Scalar | undefined)[]): string {
  let text = '{';
  for (const [index, value] of values.entries()) {
    text += index === 0 ? '' : ',';
    text += typeof value === 'string' ? quoted(value) : isBytes(value) ? bytesText(value) : (value ?? 'NULL');
  }
  return `${text}}`;
}

function isBytes(value: unknown): value is Uint8Array {
  return typeof value === 'object' && value !== null;
}

/** The text form of `bytea`, as an element of an array. */
function bytesText({ buffer, byteOffset, byteLength }: Uint8Array): string {
  return String.raw`"\\x${Buffer.from(buffer, byteOffset, byteLength).toString('hex')}"`;
}

function quoted(value: string): string {
  return `"${SPECIAL.test(value) ? value.replaceAll(EACH_SPECIAL, String.raw`\$&`) : value}"`;
}

/**
 * The elements of an array of texts. An element with special characters has quotes, so a text without quotes can be
 * split at its commas; `parseQuoted` reads the others.
 */
export function textsOf(text: string, parseQuoted: (text: string) => (string | null)[]): (string | null)[] {
  if (text.includes('"')) {
    return parseQuoted(text);
  }
  const inner = text.slice(1, -1);
  return inner === '' ? [] : inner.split(',').map((part) => (part === 'NULL' ? null : part));
}
