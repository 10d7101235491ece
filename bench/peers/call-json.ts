const WAIT_MS = 120_000;

interface Call {
  path: string;
  /** POST when there is a body, otherwise GET. */
  method?: string;
  headers?: Record<string, string>;
  body?: object;
}

/** Calls a peer while it is being filled, and returns its answer. Throws unless that is a success. */
export async function callJson<Answer>(address: string, call: Call): Promise<Answer> {
  const { path, body, method = body === undefined ? 'GET' : 'POST', headers } = call;
  const answer = await fetch(`${address}${path}`, {
    method,
    headers: { ...(body !== undefined && { 'content-type': 'application/json' }), ...headers },
    ...(body !== undefined && { body: JSON.stringify(body) }),
    signal: AbortSignal.timeout(WAIT_MS),
  });
  const text = await answer.text();
  if (!answer.ok) {
    throw new Error(`${method} ${path} was answered with ${answer.status}: ${text}`);
  }
  return JSON.parse(text);
}
