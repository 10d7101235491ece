/** A request without an answer fails after this time. */
export const answerWaitMs = 20_000;
/** An answer that is not used within this time is requested again, because it may be outdated. */
const freshMs = 10_000;

interface FirstAnswer {
  sentAtMs: number;
  response: Promise<Response>;
}

/** At most one entry for each request of the first page. */
const waiting = new Map<string, FirstAnswer>();
let isTaken = false;

/** The options of every request that only reads. */
export const readOptions = {
  method: 'GET',
  cache: 'no-store',
  credentials: 'same-origin',
  headers: { accept: 'application/json' },
} as const satisfies RequestInit;

export function apiAddress(path: string): string {
  return `/dashboard/api${path}`;
}

/** Sends a request whose answer the first page will read. Failures are those of the later reader. */
export function sendFirst(path: string): Promise<Response> {
  const response = fetch(apiAddress(path), {
    ...readOptions,
    priority: 'high',
    signal: AbortSignal.timeout(answerWaitMs),
  });
  response.catch(() => undefined);
  waiting.set(path, { sentAtMs: performance.now(), response });
  return response;
}

/** True as soon as the page takes the first answers: from then on it sends its requests itself. */
export function areFirstTaken(): boolean {
  return isTaken;
}

/** The answer to a request that was sent before the page was loaded. Each is given out once. */
export function takeFirst(path: string): Promise<Response> | undefined {
  isTaken = true;
  const found = waiting.get(path);
  waiting.delete(path);
  return found && performance.now() - found.sentAtMs < freshMs ? found.response : undefined;
}
