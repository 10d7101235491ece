import type { DatabaseSync } from 'node:sqlite';
import { expect, it, onTestFinished } from 'vitest';
import { createFigures } from '../../src/store/sqlite/figures.ts';
import { openTestStore } from '../support/open-store.ts';
import { openStoreFile } from '../support/read-store.ts';

/** The statements behind the figures, each with its plan. */
async function readPlans(): Promise<string[]> {
  const { file } = await openTestStore();
  const db = openStoreFile(file);
  onTestFinished(() => db.close());
  const plans: string[] = [];
  const recording: Pick<DatabaseSync, 'prepare'> = {
    prepare(sql) {
      const rows = db.prepare(`EXPLAIN QUERY PLAN ${sql}`).all();
      plans.push(rows.map(({ detail }) => detail).join('\n'));
      return db.prepare(sql);
    },
  };
  createFigures({
    file,
    // Statements are all that figures take from it.
    db: recording as DatabaseSync,
    read: async (work) => work(),
    checkWritable: async () => {},
  });
  return plans;
}

it('figures visit guilds and endpoints one by one, and the ledger, the log and the retries by index alone', async () => {
  const plans = await readPlans();
  expect(plans).toHaveLength(2);
  const [newest = '', webhooks = ''] = plans;
  expect(newest).toMatch(/SEARCH l USING INTEGER PRIMARY KEY/);
  expect(newest).toMatch(/SEARCH t USING COVERING INDEX ledger_by_time \(guild_no=\?\)/);
  expect(webhooks).toMatch(/SEARCH t USING INDEX ledger_by_number \(guild_no=\? AND number=\?\)/);
  expect(webhooks).toMatch(/SEARCH e USING PRIMARY KEY \(guild_no=\? AND entry_no=\?\)/);
  expect(webhooks).toMatch(
    /SEARCH r USING COVERING INDEX webhook_retry_by_event \(guild_no=\? AND webhook_id=\?\)/,
  );
  for (const plan of plans) {
    expect(plan).not.toMatch(/SCAN [ter]\b/);
  }
});
