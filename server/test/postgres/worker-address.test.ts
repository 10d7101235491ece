import pg from 'pg';
import { expect, it, onTestFinished } from 'vitest';
import { parseDatabaseUrl } from '../../src/store/postgres/connection.ts';
import { findAccess } from '../../src/store/postgres/worker-address.ts';
import { startSlowProxy } from '../support/slow-proxy.ts';
import { findSparePort } from '../support/spare-port.ts';
import { createPostgresServer } from './server.ts';

/** Longer than the first attempt of an instance takes. */
const DELAY_MS = 2_500;

it('a worker that answers the coordinator and is slow for the instance is used directly', async () => {
  const port = await findSparePort();
  const server = await createPostgresServer({ port });
  onTestFinished(() => server.remove());
  const client = new pg.Client({ connectionString: server.url('postgres') });
  await client.connect();
  onTestFinished(() => client.end());
  const { rows } = await client.query('SELECT system_identifier::text AS id FROM pg_control_system()');
  const proxy = await startSlowProxy(port);
  proxy.setDelay(DELAY_MS);
  const access = await findAccess({
    database: parseDatabaseUrl(server.url('postgres')),
    node: { groupId: 1, host: '127.0.0.1', port: proxy.port, isSynced: true, ranges: [] },
    // The coordinator's answer.
    ask: async () => ({ ...(await client.query('SELECT')), rows: [{ success: true, id: rows[0].id }] }),
  });
  expect(access).toEqual({ isDirect: true });
});
