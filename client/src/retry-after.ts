const SECOND_MS = 1_000;

/**
 * How long the server asks to wait. `Retry-After` knows whole seconds only; when a rate limit is the reason,
 * `X-RateLimit-Reset-After` names the same moment with milliseconds. Where the two differ by more than rounding,
 * somebody on the way has asked for more.
 */
export function readRetryAfterMs(status: number, headers: Headers): number | undefined {
  const wholeMs = secondsOrDate(headers.get('retry-after'));
  const exactMs = status === 429 ? seconds(headers.get('x-ratelimit-reset-after')) : undefined;
  if (wholeMs === undefined || exactMs === undefined) {
    return wholeMs ?? exactMs;
  }
  return wholeMs - exactMs <= SECOND_MS ? exactMs : wholeMs;
}

/** Proxies may name a date. The difference of two clocks is a guess, but waiting less would be a worse one. */
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
