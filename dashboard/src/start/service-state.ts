export type ServiceState = 'ready' | 'not-ready' | 'unreachable';

const answerWaitMs = 5_000;

/** Asks the readiness probe. An answer that is neither yes nor no counts as not ready. */
export async function fetchServiceState(): Promise<ServiceState> {
  try {
    const response = await fetch('/readyz', { cache: 'no-store', signal: AbortSignal.timeout(answerWaitMs) });
    return response.ok ? 'ready' : 'not-ready';
  } catch {
    // No answer at all is itself the answer that the page shows.
    return 'unreachable';
  }
}
