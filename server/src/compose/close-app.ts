import type { App } from '../http/server.ts';

const IDLE_SWEEP_MS = 50;

/**
 * Waits for pending requests. Keep-alive connections would accept further requests, so each is closed as soon as it
 * is idle.
 */
export async function closeApp(app: App): Promise<void> {
  const sweep = setInterval(() => app.server.closeIdleConnections(), IDLE_SWEEP_MS);
  try {
    await app.close();
  } finally {
    clearInterval(sweep);
  }
}
