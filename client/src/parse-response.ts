import { fieldOf, type Guard } from './check-shape.ts';
import { type ErrorFacts, type ErrorKind, GuildbookError } from './errors.ts';
import { readRetryAfterMs } from './retry-after.ts';
import type { RawAnswer, Request } from './send.ts';

/** A successful answer. */
export interface Answer {
  headers: Headers;
  /** The parsed JSON, not yet checked. */
  body: unknown;
  /** Status and ids for an error about this answer. */
  facts: ErrorFacts;
}

const KINDS: ReadonlyMap<number, ErrorKind> = new Map<number, ErrorKind>([
  [400, 'bad-request'],
  [401, 'unauthorized'],
  [403, 'forbidden'],
  [404, 'not-found'],
  [409, 'conflict'],
  [410, 'not-found'],
  [412, 'conflict'],
  [422, 'conflict'],
  [429, 'rate-limited'],
  // A proxy sends these two when it could not reach the service, or the service closed the connection.
  [502, 'unavailable'],
  [503, 'unavailable'],
  [504, 'unavailable'],
]);

/** Proxies may send these in any form, so they are accepted without a JSON body. */
const PASSING_KINDS: readonly ErrorKind[] = ['rate-limited', 'unavailable'];

/** The post of one transaction has no code: only the message distinguishes this refusal from other bad requests. */
const OVERDRAFT_MESSAGE = 'Bad request - the balance does not cover this withdrawal';

/** Returns a successful answer with a JSON body, and throws the matching error otherwise. */
export function parseResponse(
  { status, headers, text }: RawAnswer,
  request: Request,
  secret: string,
): Answer {
  const { idempotencyKey, hasLines } = request;
  const facts = { status, idempotencyKey, requestId: headers.get('x-request-id') ?? undefined };
  const isSuccess = status >= 200 && status < 300;
  const body = isSuccess && hasLines === true ? parseLines(text) : parse(text);
  if (isSuccess && body !== undefined) {
    refuseIgnored(headers, facts);
    return { headers, body, facts };
  }
  const message = textOf(body, 'message');
  const code = textOf(body, 'code');
  const kind = kindOf(status, message, code);
  const isBelieved = message !== undefined || PASSING_KINDS.includes(kind);
  throw new GuildbookError(
    isBelieved ? kind : 'unexpected-answer',
    // The service never repeats a key, but another program at a wrong address might.
    message?.replaceAll(secret, '[key]') ?? describe(status),
    { ...facts, code, data: fieldOf(body, 'data'), retryAfterMs: readRetryAfterMs(status, headers) },
  );
}

/** When the service ignored a filter, the answer is wrong, so it is refused. */
function refuseIgnored(headers: Headers, facts: ErrorFacts): void {
  const names = headers.get('x-unknown-parameters');
  if (names !== null) {
    throw new GuildbookError('bad-request', `Bad request - unknown query parameter: ${names}`, facts);
  }
}

/** A field of the answer's body. */
export function readField<Shape>(answer: Answer, name: string, isShape: Guard<Shape>): Shape {
  return expectShape(answer, fieldOf(answer.body, name), isShape);
}

export function expectShape<Shape>(answer: Answer, value: unknown, isShape: Guard<Shape>): Shape {
  if (!isShape(value)) {
    throw unexpectedAnswer(answer);
  }
  return value;
}

/** The error for a success whose shape does not match the interface. */
export function unexpectedAnswer({ facts }: Answer): GuildbookError {
  return new GuildbookError('unexpected-answer', 'Answered with JSON that is not of this interface', facts);
}

function kindOf(status: number, message: string | undefined, code: string | undefined): ErrorKind {
  if (status < 400) {
    return 'unexpected-answer';
  }
  if (code === 'insufficient_funds' || (status === 400 && message === OVERDRAFT_MESSAGE)) {
    return 'overdraft';
  }
  return KINDS.get(status) ?? (status < 500 ? 'bad-request' : 'server-error');
}

function describe(status: number): string {
  // With `redirect: 'manual'` a browser reports a redirect as status 0.
  const isRedirect = status === 0 || (status >= 300 && status < 400);
  const what = isRedirect ? 'a redirect' : `status ${status}`;
  return `Answered with ${what} and no JSON of this interface`;
}

function parse(text: string): unknown {
  try {
    return JSON.parse(text);
  } catch {
    // Not JSON. The caller throws; the text is not shown.
    return undefined;
  }
}

function parseLines(text: string): unknown[] | undefined {
  const lines = text.split('\n').filter((line) => line !== '');
  const parsed = lines.map(parse);
  return parsed.includes(undefined) ? undefined : parsed;
}

function textOf(body: unknown, name: string): string | undefined {
  const value = fieldOf(body, name);
  return typeof value === 'string' ? value : undefined;
}
