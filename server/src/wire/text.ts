import { Type } from './type.ts';

/**
 * One line of readable text. Control characters, lone surrogates and marks that change the direction of writing are
 * refused: they have no use in a name or an id, and they can make one name look like another.
 */
export const LINE_FORMAT = 'text-line';
/** The same, but it may be empty. */
export const NOTE_FORMAT = 'text-note';
/** The same, but line breaks and tabs are allowed. */
export const BLOCK_FORMAT = 'text-block';
/** The actor of a change: the kind, a colon and the id, as in `user:4711`. */
export const ACTOR_FORMAT = 'actor';

export const ID_LENGTH_MAX = 128;
export const NAME_LENGTH_MAX = 256;
export const TEXT_LENGTH_MAX = 4_000;

export function idText(description: string, example: string) {
  return Type.String({
    description,
    minLength: 1,
    maxLength: ID_LENGTH_MAX,
    format: LINE_FORMAT,
    examples: [example],
  });
}

export function lineText(description: string, example: string) {
  return Type.String({
    description,
    minLength: 1,
    maxLength: NAME_LENGTH_MAX,
    format: LINE_FORMAT,
    examples: [example],
  });
}

/** A line that may be empty. */
export function noteText(description: string, example: string) {
  return Type.String({ description, maxLength: NAME_LENGTH_MAX, format: NOTE_FORMAT, examples: [example] });
}

export function blockText(description: string, example: string) {
  return Type.String({ description, maxLength: TEXT_LENGTH_MAX, format: BLOCK_FORMAT, examples: [example] });
}

/** One of a closed list of values. */
export function choice<const Values extends readonly string[]>(values: Values, options: object = {}) {
  return Type.Unsafe<Values[number]>({ type: 'string', enum: values, ...options });
}

/** For exports: byte for byte the file of the command line, or a file for spreadsheets. */
export const exact = Type.Optional(
  choice(['true', 'false'], {
    description: 'True when the file has the format that the command line writes.',
  }),
);

// Direction marks, embeddings, overrides and isolates. Letters of right-to-left scripts need none of them.
const DIRECTION_MARKS = '\\u061C\\u200E\\u200F\\u202A-\\u202E\\u2066-\\u2069';
const FORBIDDEN_IN_LINE = `\\u0000-\\u001F\\u007F-\\u009F\\u2028\\u2029${DIRECTION_MARKS}`;
/** Without line feed, carriage return and tab. */
const FORBIDDEN_IN_BLOCK = `\\u0000-\\u0008\\u000B\\u000C\\u000E-\\u001F\\u007F-\\u009F${DIRECTION_MARKS}`;
// Patterns use the flag `u`, so that this range matches only lone surrogates.
const SURROGATES = '\\uD800-\\uDFFF';

/**
 * The texts that each format accepts, as patterns for documents. A test compares them with the checks below, which
 * are faster. Lone surrogates are refused as well, but the patterns do not include them: they cannot occur in UTF-8,
 * and many regular expression engines (Rust, Go) refuse a pattern that names them. The byte order mark is white space
 * in JavaScript only.
 */
export const TEXT_PATTERNS = {
  [LINE_FORMAT]: `^[^${FORBIDDEN_IN_LINE}]*[^\\s\\uFEFF${FORBIDDEN_IN_LINE}][^${FORBIDDEN_IN_LINE}]*$`,
  [NOTE_FORMAT]: `^[^${FORBIDDEN_IN_LINE}]*$`,
  [BLOCK_FORMAT]: `^[^${FORBIDDEN_IN_BLOCK}]*$`,
  [ACTOR_FORMAT]: `^(?:key|user|bot|operator):[^${FORBIDDEN_IN_LINE}]*$`,
};
const NOT_IN_LINE = new RegExp(`[${FORBIDDEN_IN_LINE}${SURROGATES}]`, 'u');
const NOT_IN_BLOCK = new RegExp(`[${FORBIDDEN_IN_BLOCK}${SURROGATES}]`, 'u');

export function isLine(text: string): boolean {
  return !isBlank(text) && !NOT_IN_LINE.test(text);
}

export function isNote(text: string): boolean {
  return !NOT_IN_LINE.test(text);
}

export function isActor(text: string): boolean {
  return /^(key|user|bot|operator):/.test(text) && isNote(text);
}

export function isBlock(text: string): boolean {
  return !NOT_IN_BLOCK.test(text);
}

export function isBlank(text: string): boolean {
  return text.trim() === '';
}

const JSON_NUMBER = /^-?(?:0|[1-9]\d*)(?:\.\d+)?(?:[eE][+-]?\d+)?$/;

/** True for a number in JSON's notation: no `0x10`, no ` 1`, no `1,5`. */
export function isJsonNumber(text: string): boolean {
  return JSON_NUMBER.test(text);
}
