import type { Readable } from 'node:stream';

export const JSON_TYPE = 'application/json; charset=utf-8';

/** A body ready to be sent, and its length in bytes. */
export interface Body {
  /** A short text stays a string, which Node sends in one piece with the head; anything else is encoded here, once. */
  content: string | Buffer;
  length: number;
  /** `latin1` for a string with one character for each byte; UTF-8 otherwise. */
  encoding?: 'latin1';
}

/** The result of a handler. The default status is 200, the default content type JSON. */
export interface Answer {
  status?: number;
  /** A body ready to be sent, a stream, or an object that is serialized by the route's `reply` schema. */
  body: Body | Readable | Json;
  contentType?: string;
  /** The stream has no end of its own, so the metrics record the time until it begins. */
  isEndless?: boolean;
  /** Further headers, names and values in turn. */
  headers?: readonly string[];
}

export interface Json {
  json: object;
}

/** Above this size copying a string costs more than sending it separately from the head. */
const SHORT_BYTES_MAX = 8_192;
const EMPTY: Body = { content: '', length: 0 };

export function toBody(text: string): Body {
  const length = Buffer.byteLength(text);
  return { content: length <= SHORT_BYTES_MAX ? text : Buffer.from(text), length };
}

/** Bytes that are sent many times. Short ones become a string, too. */
export function bytesBody(bytes: Buffer): Body {
  const { length } = bytes;
  return length <= SHORT_BYTES_MAX
    ? { content: bytes.toString('latin1'), length, encoding: 'latin1' }
    : { content: bytes, length };
}

/** An object such as `{success, data}`, serialized by the route's `reply` schema. */
export function answerJson(json: object, headers?: readonly string[]): Answer {
  return { body: { json }, ...(headers && { headers }) };
}

/** JSON that is already serialized. */
export function answerText(text: string): Answer {
  return { body: toBody(text) };
}

export function redirectTo(location: string, headers: readonly string[] = []): Answer {
  return { status: 302, body: EMPTY, headers: ['location', location, ...headers] };
}

/**
 * The body of an object that the store returns for every read until it changes. It is serialized once, kept on the
 * object itself and freed together with it; a WeakMap would slow garbage collection.
 */
export function cachedBody(source: object, write: () => string): Body {
  const holder: { [CACHED]?: Body } = source;
  holder[CACHED] ??= toBody(write());
  return holder[CACHED];
}

const CACHED = Symbol('body');
