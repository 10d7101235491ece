import { expect, it, onTestFinished } from 'vitest';
import { SQLITE } from '../../src/store/dialect.ts';
import { type Statement, textOf } from '../../src/store/sql.ts';
import { withNumberedValues } from '../../src/store/sqlite/connection.ts';
import { AUDIT_ENDS, FEED_ENDS } from '../../src/store/webhooks/webhook-ends.ts';
import { LOCK_FREE, RECORD } from '../../src/store/webhooks/webhook-results.ts';
import { SET_RETRY_AT, TRIM } from '../../src/store/webhooks/webhook-retries.ts';
import { NEXT_FOLLOWERS, NEXT_OF_ALL, OF_GUILDS } from '../../src/store/webhooks/webhook-waking.ts';
import { FIND_WORK } from '../../src/store/webhooks/webhook-work.ts';
import { openTestStore } from '../support/open-store.ts';
import { openStoreFile } from '../support/read-store.ts';

it('a look for webhooks with work reads no idle endpoint except the next few in turn', async () => {
  const { file } = await openTestStore();
  const db = openStoreFile(file);
  onTestFinished(() => db.close());
  const due = planOf(db, FIND_WORK);
  expect(due).toContain('SEARCH w USING INDEX webhook_by_due (kind=? AND due_at<?)');
  expect(due).toContain('SEARCH h USING PRIMARY KEY (guild_no=?)');
  expect(planOf(db, OF_GUILDS)).toContain('SEARCH w USING PRIMARY KEY (guild_no=?)');
  expect(planOf(db, NEXT_OF_ALL)).toBe('SEARCH w USING PRIMARY KEY ((guild_no,webhook_id)>(?,?))');
  expect(planOf(db, NEXT_FOLLOWERS)).toBe(
    'SEARCH w USING INDEX webhook_by_people ((guild_no,webhook_id)>(?,?))',
  );
  expect(planOf(db, FEED_ENDS)).toContain('SEARCH guild_ledger USING INTEGER PRIMARY KEY (rowid=?)');
  const audit = planOf(db, AUDIT_ENDS);
  expect(audit).toContain('SEARCH guild USING INTEGER PRIMARY KEY (rowid=?)');
  expect(audit).toContain('SEARCH e USING PRIMARY KEY (guild_no=?)');
  expect(audit).not.toMatch(/SCAN (guild|e)\b/);
});

it('writing the results of deliveries reads no other endpoint', async () => {
  const { file } = await openTestStore();
  const db = openStoreFile(file);
  onTestFinished(() => db.close());
  for (const statement of [LOCK_FREE, RECORD, SET_RETRY_AT, TRIM]) {
    const plan = planOf(db, statement);
    expect(plan).toMatch(
      /SEARCH (w|webhook|webhook_attempt) USING PRIMARY KEY \(guild_no=\? AND webhook_id=\?/,
    );
    expect(plan).not.toMatch(/SCAN (w|webhook|webhook_attempt|o|r)\b/);
  }
});

function planOf(db: ReturnType<typeof openStoreFile>, statement: Statement<unknown>): string {
  return db
    .prepare(`EXPLAIN QUERY PLAN ${withNumberedValues(textOf(statement, SQLITE))}`)
    .all()
    .map(({ detail }) => detail)
    .join('\n');
}
