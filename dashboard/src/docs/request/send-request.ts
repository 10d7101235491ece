import type { BuiltRequest } from './build-request.ts';

export interface LiveAnswer {
  status: number;
  durationMs: number;
  headers: { name: string; value: string }[];
  contentType: string;
  body: string;
  bodyBytes: number;
}

const answerWaitMs = 30_000;

/** Sends the request as a program would: no cookies, no cache. Throws an Error whose message can be shown. */
export async function sendRequest(request: BuiltRequest): Promise<LiveAnswer> {
  const start = performance.now();
  try {
    const response = await fetch(request.url, {
      method: request.method,
      headers: request.headers.map(({ name, value }): [string, string] => [name, value]),
      ...(request.body === undefined ? {} : { body: request.body }),
      credentials: 'omit',
      cache: 'no-store',
      signal: AbortSignal.timeout(answerWaitMs),
    });
    const bytes = await response.arrayBuffer();
    return {
      status: response.status,
      durationMs: performance.now() - start,
      headers: [...response.headers].map(([name, value]) => ({ name, value })),
      contentType: response.headers.get('content-type') ?? '',
      body: new TextDecoder().decode(bytes),
      bodyBytes: bytes.byteLength,
    };
  } catch (error) {
    throw new Error(explain(error), { cause: error });
  }
}

function explain(error: unknown): string {
  if (!(error instanceof Error)) return 'The request failed.';
  if (error.name === 'TimeoutError') return `No answer within ${answerWaitMs / 1000} seconds.`;
  if (error.name === 'TypeError' && /header/i.test(error.message)) {
    return 'A header holds a character that cannot be sent. Check the key and the header fields.';
  }
  return 'The request could not be sent. Is the service running?';
}
