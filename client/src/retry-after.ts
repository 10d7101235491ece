const SECOND_MS = 1_000;

/**
 * The pause that the server asks for. `Retry-After` has whole seconds; for a rate limit, `X-RateLimit-Reset-After`
 * has the same moment with milliseconds. When the two differ by more than rounding, a proxy has asked for a longer
 * pause.
 */
export function readRetryAfterMs(status: number, headers: Headers): number | undefined {
  const wholeMs = secondsOrDate(headers.get('retry-after'));
  const exactMs = status === 429 ? seconds(headers.get('x-ratelimit-reset-after')) : undefined;
  if (wholeMs === undefined || exactMs === undefined) {
    return wholeMs ?? exactMs;
  }
  return wholeMs - exactMs <= SECOND_MS ? exactMs : wholeMs;
}

/** Proxies may send a date. Comparing two clocks is inexact, but ignoring the date would be worse. */
function secondsOrDate(text: string | null): number | undefined {
  const ms = seconds(text);
  if (ms !== undefined || text === null) {
    return ms;
  }
  const dateMs = Date.parse(text);
  return Number.isNaN(dateMs) ? undefined : Math.max(0, dateMs - Date.now());
}

function seconds(text: string | null): number | undefined {
  return text !== null && /^\d+(\.\d+)?$/.test(text.trim()) ? Number(text) * SECOND_MS : undefined;
}
