import { GuildbookError } from './errors.ts';
import type { Settings } from './options.ts';
import { userAgentHeader } from './user-agent.ts';

export interface Request {
  method: 'GET' | 'POST' | 'PUT' | 'DELETE';
  /** The path below `baseUrl`, with its query, properly encoded. */
  path: string;
  /** JSON, or lines of JSON; the same text at every attempt. */
  body?: string | undefined;
  /** True when body and answer are lines of JSON. */
  hasLines?: boolean | undefined;
  /** The tag that the replaced resource must still have. */
  ifMatch?: string | undefined;
  idempotencyKey?: string | undefined;
  /** Repeating it would create a second resource, so it is not repeated when its answer is lost. */
  isUnrepeatable?: boolean | undefined;
  signal?: AbortSignal | undefined;
}

/** An answer of any status with its unparsed text. */
export interface RawAnswer {
  status: number;
  headers: Headers;
  text: string;
}

/**
 * Sends a request once and reads the whole answer. Rejects with `connection`, `timeout` or `aborted` when there is
 * none. `parseResponse` interprets the answer.
 */
export async function sendRequest(
  request: Request,
  settings: Settings,
  timeoutMs: number,
): Promise<RawAnswer> {
  const { signal } = request;
  const controller = new AbortController();
  let giveUp = (_error: GuildbookError): void => {};
  // A race, because a `fetch` from the options may ignore its signal.
  const givenUp = new Promise<never>((_resolve, reject) => {
    giveUp = (error) => {
      reject(error);
      controller.abort();
    };
  });
  const onAbort = () => giveUp(abortedError(request));
  const timer = setTimeout(() => giveUp(timeoutError(request, timeoutMs)), timeoutMs);
  signal?.addEventListener('abort', onAbort);
  try {
    return await Promise.race([send(request, settings, controller.signal), givenUp]);
  } finally {
    clearTimeout(timer);
    signal?.removeEventListener('abort', onAbort);
  }
}

export function abortedError({ signal, idempotencyKey }: Request): GuildbookError {
  return new GuildbookError('aborted', 'The call was aborted', { idempotencyKey, cause: signal?.reason });
}

function timeoutError({ idempotencyKey }: Request, timeoutMs: number): GuildbookError {
  return new GuildbookError('timeout', `No answer within ${Math.round(timeoutMs)} ms`, { idempotencyKey });
}

async function send(request: Request, settings: Settings, signal: AbortSignal): Promise<RawAnswer> {
  const { method, path, body, idempotencyKey, ifMatch } = request;
  const type = request.hasLines === true ? 'application/x-ndjson' : 'application/json';
  try {
    const response = await settings.fetch(settings.baseUrl + path, {
      method,
      headers: {
        accept: request.hasLines === true ? `${type}, application/json` : type,
        ...userAgentHeader,
        ...settings.credentials,
        ...(body === undefined ? {} : { 'content-type': type }),
        ...(idempotencyKey === undefined ? {} : { 'idempotency-key': idempotencyKey }),
        ...(ifMatch === undefined ? {} : { 'if-match': ifMatch }),
      },
      ...(body === undefined ? {} : { body }),
      // Following a redirect could send the key to another host and turn a post into a read.
      redirect: 'manual',
      signal,
    });
    return { status: response.status, headers: response.headers, text: await response.text() };
  } catch (error) {
    const message = `The connection failed${codeOf(error)}`;
    throw new GuildbookError('connection', message, { idempotencyKey, cause: error });
  }
}

/** Node.js has a code in the cause of the error; other runtimes have only a message. */
function codeOf(error: unknown): string {
  const cause: unknown = error instanceof Error ? error.cause : undefined;
  return cause instanceof Error && 'code' in cause ? `: ${cause.code}` : '';
}
