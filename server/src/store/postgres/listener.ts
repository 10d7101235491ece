import type pg from 'pg';
import { REVISION_CHANNEL } from '../revision.ts';
import { type Database, openClient } from './connection.ts';

const RETRY_MIN_MS = 100;
const RETRY_MAX_MS = 1_000;

export interface Listener {
  close(): Promise<void>;
}

/**
 * Listens on its own connection for changes made by other instances, and reconnects by itself. Without a connection,
 * changes are noticed when the counters are read again, at the latest after FRESH_MS.
 */
export function startListener(database: Database, onChange: (part: string | undefined) => void): Listener {
  let client: pg.Client | undefined;
  let timer: NodeJS.Timeout | undefined;
  let isClosed = false;
  let failures = 0;

  async function connect(): Promise<void> {
    const opened = await openClient(database);
    client = opened;
    // It only waits for notifications, so it would not notice that the server hangs.
    database.idleClients.add(opened);
    opened.once('end', () => database.idleClients.delete(opened));
    opened.on('notification', ({ payload }) => onChange(payload));
    opened.once('end', retry);
    await opened.query(`LISTEN ${REVISION_CHANNEL}`);
    failures = 0;
    // Notifications sent while the connection was down are lost, so every part counts as changed.
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
