import pg from 'pg';
import { describeKeyLog } from '../http/key-log-suite.ts';
import { FLUSH_MS } from '../http/logged-key.ts';
import { startPostgresDashboard } from './dashboard-service.ts';

let url = '';

describeKeyLog(
  async () => {
    const service = await startPostgresDashboard({}, { keyUsageFlushMs: FLUSH_MS });
    url = service.databaseUrl;
    return service;
  },
  async () => {
    const client = new pg.Client({ connectionString: url });
    await client.connect();
    try {
      const { rows: tables } = await client.query(
        `SELECT relid::regclass::text AS name FROM pg_stat_user_tables`,
      );
      const texts = await Promise.all(
        tables.map(({ name }) => client.query(`SELECT string_agg(t::text, ' ') AS text FROM ${name} AS t`)),
      );
      return texts.map(({ rows }) => rows[0]?.text ?? '').join('');
    } finally {
      await client.end();
    }
  },
);
