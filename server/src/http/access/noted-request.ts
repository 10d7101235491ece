import { RefusedKey } from '../../domain/access/api-keys.ts';
import type { KeyRequest } from '../../domain/access/key-requests.ts';
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
const UUID = /^[\da-f]{8}(?:-[\da-f]{4}){3}-[\da-f]{12}$/i;
const DIGITS_ONLY = /^\d+$/;
const HAS_DIGIT = /\d/;
const CONTROL = /\p{Cc}/gu;
/** Headers with secrets. A client may send the same text elsewhere by mistake. */
const SECRET_HEADERS = ['x-api-key', 'authorization', 'cookie', 'x-csrf-token'] as const;
/** Shorter parts of these headers, such as `Bearer`, are no secrets. */
const SECRET_LENGTH_MIN = 8;

/** A request without anything that may be secret. `status` is that of its answer. */
export function noteRequest(
  { id, raw, startMs, refusal }: HttpRequest,
  { route, status, address }: { route: NamedRoute; status: number; address: string },
): Omit<KeyRequest, 'atMs'> {
  const hide = createHide(raw.headers);
  return {
    requestId: id,
    method: raw.method ?? '',
    route: route.operationId,
    path: hide(knownPart(raw.url ?? '', route)).slice(0, PATH_LENGTH_MAX),
    status,
    code: refusal?.code,
    message: refusal && hide(messageOf(refusal)),
    durationMs: Math.round(performance.now() - startMs),
    address,
    userAgent: hide(raw.headers['user-agent'] ?? '').slice(0, AGENT_LENGTH_MAX),
  };
}

/** The text of the answer. That of a refused key gives no reason, which its log may. */
function messageOf(refusal: DomainError): string {
  const { message } = describeError(refusal);
  return refusal instanceof RefusedKey ? `${message} (${refusal.detail})` : message;
}

export type NamedRoute = Pick<Route, 'query'> & { operationId: string };

/** The path, with the parameters of the query that the route knows. Others may contain anything. */
function knownPart(url: string, { query }: NamedRoute): string {
  const [path = '', queryText = ''] = url.split('?', 2);
  const known = Object.keys(query?.properties ?? {});
  const pairs = [...new URLSearchParams(queryText)].filter(([name]) => known.includes(name));
  return pairs.length === 0 ? path : `${path}?${new URLSearchParams(pairs)}`;
}

/** Returns a function that replaces everything in a text that may be secret. */
function createHide(headers: HttpRequest['raw']['headers']): (text: string) => string {
  const secrets = SECRET_HEADERS.flatMap((name) => String(headers[name] ?? '').split(/[\s;=,]+/)).filter(
    (part) => part.length >= SECRET_LENGTH_MIN,
  );
  return (text) => {
    const withoutOwn = secrets.reduce((left, secret) => left.replaceAll(secret, HIDDEN), decoded(text));
    return withoutOwn
      .replaceAll(CONTROL, ' ')
      .replaceAll(KEY_VALUE, HIDDEN)
      .replaceAll(LONG_RUN, (run) => (isPlainId(run) ? run : HIDDEN));
  };
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
