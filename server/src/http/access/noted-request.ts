import { RefusedKey } from '../../domain/access/api-keys.ts';
import type { DescribeRequest } from '../../domain/access/key-log.ts';
import type { DomainError } from '../../domain/errors.ts';
import type { Route } from '../endpoint.ts';
import { describeError } from '../errors.ts';
import type { HttpRequest } from '../request.ts';

const PATH_LENGTH_MAX = 300;
const AGENT_LENGTH_MAX = 200;
const HIDDEN = '[hidden]';
/** Keys of ours, whole or cut off. */
const KEY_VALUE = /gbk_\w*/g;
/** A long run of letters and digits may be a token. */
const LONG_RUN = /[\w+~-]{24,}/g;
const LONG_RUN_LENGTH = 24;
const UUID = /^[\da-f]{8}(?:-[\da-f]{4}){3}-[\da-f]{12}$/i;
const DIGITS_ONLY = /^\d+$/;
const HAS_DIGIT = /\d/;
const CONTROL = /\p{Cc}/gu;
/** Headers with secrets besides the key. A client may send the same text elsewhere by mistake. */
const OTHER_SECRET_HEADERS = ['authorization', 'cookie', 'x-csrf-token'] as const;
const SEPARATORS = /[\s;=,]+/;
/** Shorter parts of these headers, such as `Bearer`, are no secrets. */
const SECRET_LENGTH_MIN = 8;

export interface NamedRoute {
  operationId: string;
  query?: Route['query'];
}

/** Describes the requests of a route without anything that may be secret. */
export function createNoteRequest(
  { operationId, query }: NamedRoute,
  addressOf: (raw: HttpRequest['raw']) => string,
): DescribeRequest<HttpRequest> {
  const known = new Set(Object.keys(query?.properties ?? {}));
  return ({ id, raw, startMs, refusal }, status, { keyNo, atMs, isOfAll }) => {
    const secrets = secretsOf(raw.headers);
    const agent = raw.headers['user-agent'] ?? '';
    return {
      keyNo,
      atMs,
      isOfAll,
      requestId: id,
      method: raw.method ?? '',
      route: operationId,
      path: shorten(hide(knownPart(raw.url ?? '', known), secrets), PATH_LENGTH_MAX),
      status,
      code: refusal?.code,
      message: refusal && messageOf(refusal, secrets),
      durationMs: Math.round(performance.now() - startMs),
      address: addressOf(raw),
      userAgent: shorten(hide(agent, secrets), AGENT_LENGTH_MAX),
    };
  };
}

/** The text of the answer. That of a refused key gives no reason, which its log may. Only details can have a part of the request. */
function messageOf(refusal: DomainError, secrets: readonly string[]): string {
  const { message } = describeError(refusal);
  if (refusal instanceof RefusedKey) {
    return `${message} (${refusal.detail})`;
  }
  return refusal.detail === undefined && refusal.item === undefined ? message : hide(message, secrets);
}

/** The path, with the parameters of the query that the route knows. Others may contain anything. */
function knownPart(url: string, known: ReadonlySet<string>): string {
  const end = url.indexOf('?');
  if (end === -1) {
    return url;
  }
  const path = url.length > PATH_LENGTH_MAX ? copyOf(url.slice(0, end)) : url.slice(0, end);
  const pairs =
    known.size === 0 ? [] : [...new URLSearchParams(url.slice(end))].filter(([name]) => known.has(name));
  return pairs.length === 0 ? path : `${path}?${new URLSearchParams(pairs)}`;
}

/** The secrets that the headers of a request have. The key is one whole value, since it was recognized. */
function secretsOf(headers: HttpRequest['raw']['headers']): string[] {
  const secrets = [String(headers['x-api-key'])];
  for (const name of OTHER_SECRET_HEADERS) {
    const value = headers[name];
    if (value !== undefined) {
      secrets.push(...String(value).split(SEPARATORS));
    }
  }
  return secrets.filter(({ length }) => length >= SECRET_LENGTH_MIN);
}

/** Replaces everything in a text that may be secret. */
function hide(text: string, secrets: readonly string[]): string {
  if (!isSuspect(text) && !secrets.some((secret) => text.includes(secret))) {
    return text;
  }
  const withoutOwn = secrets.reduce((left, secret) => left.replaceAll(secret, HIDDEN), decoded(text));
  return withoutOwn
    .replaceAll(CONTROL, ' ')
    .replaceAll(KEY_VALUE, HIDDEN)
    .replaceAll(LONG_RUN, (run) => (isPlainId(run) ? run : HIDDEN));
}

/** The kinds of characters for `isSuspect`. Characters beyond this table are of no interest. */
const [OTHER, OF_RUN, ENCODED] = [0, 1, 2];
const CHARACTERS = Uint8Array.from({ length: 0xa0 }, (_, code) => {
  const character = String.fromCharCode(code);
  return /[\w+~-]/.test(character) ? OF_RUN : /[%\p{Cc}]/u.test(character) ? ENCODED : OTHER;
});

/**
 * True for every text that `hide` changes without a secret of the headers: with an escape, a control character, a long run or the beginning of a
 * key. Most texts have none of these, and one look at each character takes less time than the expressions above.
 */
function isSuspect(text: string): boolean {
  let runLength = 0;
  for (let index = 0; index < text.length; index += 1) {
    const kind = CHARACTERS[text.charCodeAt(index)];
    if (kind === OF_RUN) {
      runLength += 1;
      if (runLength === LONG_RUN_LENGTH) {
        return true;
      }
    } else if (kind === ENCODED) {
      return true;
    } else {
      runLength = 0;
    }
  }
  return text.includes('gbk_');
}

/** An id or a word, which no secret of ours looks like. */
function isPlainId(run: string): boolean {
  return UUID.test(run) || DIGITS_ONLY.test(run) || !HAS_DIGIT.test(run);
}

/** Escapes could cut a secret into parts that are too short to be noticed. */
function decoded(text: string): string {
  try {
    return decodeURIComponent(text);
  } catch {
    return text;
  }
}

/** The first characters of a text. */
function shorten(text: string, lengthMax: number): string {
  return text.length <= lengthMax ? text : copyOf(text.slice(0, lengthMax));
}

/** A slice keeps the whole text in memory, its copy does not. Half a character at the end becomes a replacement character. */
function copyOf(slice: string): string {
  return Buffer.from(slice).toString();
}
