import type pg from 'pg';
import { REVISION_CHANNEL } from '../revision.ts';
import { openClient, type Target } from './connection.ts';

const RETRY_MIN_MS = 100;
const RETRY_MAX_MS = 1_000;

export interface Listener {
  close(): Promise<void>;
}

/**
 * Listens on a connection of its own for changes made by other instances. It comes back by itself when it is lost, and
 * nobody waits for it: what it would have told is noticed at the next look at the counters.
 */
export function startListener(target: Target, onChange: (part: string | undefined) => void): Listener {
  let client: pg.Client | undefined;
  let timer: NodeJS.Timeout | undefined;
  let isClosed = false;
  let failures = 0;

  async function connect(): Promise<void> {
    // It only ever waits: a time limit for answers would end it.
    const opened = await openClient(target, { query_timeout: 0 });
    client = opened;
    opened.on('notification', ({ payload }) => onChange(payload));
    opened.once('end', retry);
    await opened.query(`LISTEN ${REVISION_CHANNEL}`);
    failures = 0;
    // What was told while nobody listened is lost.
    onChange(undefined);
  }

  function retry(): void {
    client = undefined;
    if (!isClosed && timer === undefined) {
      timer = setTimeout(begin, Math.min(RETRY_MIN_MS * 2 ** failures, RETRY_MAX_MS)).unref();
      failures += 1;
    }
  }

  function begin(): void {
    timer = undefined;
    connecting = connect().catch(() => {
      client?.end().catch(() => {});
      retry();
    });
  }

  let connecting = Promise.resolve();
  begin();
  return {
    async close() {
      isClosed = true;
      clearTimeout(timer);
      await connecting;
      await client?.end().catch(() => {});
    },
  };
}
