import { beforeEach, describe, expect, it, onTestFinished } from 'vitest';
import { parseDatabaseUrl } from '../../src/store/postgres/connection.ts';
import { createReads, type Reads } from '../../src/store/postgres/read.ts';
import { prepare } from '../../src/store/postgres/statement.ts';
import { domainError } from '../contract/specimens.ts';
import { createDatabase } from './database.ts';

/** Takes longer than a statement of a request may take. */
const SLOW = prepare<{ done: string }>(`SELECT 'yes' AS done FROM pg_sleep(6)`);

describe.each([
  ['directly', ''],
  ['as behind a pooler', '&pooler=transaction'],
])('a statement that takes six seconds, %s', (_, options) => {
  let reads: Reads;
  beforeEach(async () => {
    const database = await createDatabase();
    onTestFinished(() => database.remove());
    const opened = createReads(parseDatabaseUrl(`${database.url}${options}`));
    onTestFinished(() => opened.close());
    reads = opened;
  });

  it('is ended in a read of a request', async () => {
    await expect(reads.read.first(SLOW)).rejects.toMatchObject(domainError('store_unavailable'));
  });

  it('is answered in a long read, with and without a snapshot', async () => {
    const answers = [reads.readLong.first(SLOW), reads.inSnapshot((moment) => moment.first(SLOW))];
    expect(await Promise.all(answers)).toEqual([{ done: 'yes' }, { done: 'yes' }]);
  });
});
