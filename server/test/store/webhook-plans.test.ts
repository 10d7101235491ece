import { expect, it, onTestFinished } from 'vitest';
import { SQLITE } from '../../src/store/dialect.ts';
import { type Statement, textOf } from '../../src/store/sql.ts';
import { withNumberedValues } from '../../src/store/sqlite/connection.ts';
import {
  AUDIT_ENDS,
  FEED_ENDS,
  NEXT_FOLLOWERS,
  NEXT_OF_ALL,
  OF_GUILDS,
} from '../../src/store/webhooks/webhook-waking.ts';
import { FIND_WORK } from '../../src/store/webhooks/webhook-work.ts';
import { openTestStore } from '../support/open-store.ts';
import { openStoreFile } from '../support/read-store.ts';

it('a look for webhooks with work reads no idle endpoint except the next few in turn', async () => {
  const { file } = await openTestStore();
  const db = openStoreFile(file);
  onTestFinished(() => db.close());
  const planOf = (statement: Statement<unknown>) =>
    db
      .prepare(`EXPLAIN QUERY PLAN ${withNumberedValues(textOf(statement, SQLITE))}`)
      .all()
      .map(({ detail }) => detail)
      .join('\n');
  const due = planOf(FIND_WORK);
  expect(due).toContain('SEARCH w USING INDEX webhook_by_due (kind=? AND due_at<?)');
  expect(due).toContain('SEARCH h USING PRIMARY KEY (guild_no=?)');
  expect(planOf(OF_GUILDS)).toContain('SEARCH w USING PRIMARY KEY (guild_no=?)');
  expect(planOf(NEXT_OF_ALL)).toBe('SEARCH w USING PRIMARY KEY ((guild_no,webhook_id)>(?,?))');
  expect(planOf(NEXT_FOLLOWERS)).toBe('SEARCH w USING INDEX webhook_by_people ((guild_no,webhook_id)>(?,?))');
  expect(planOf(FEED_ENDS)).toContain('SEARCH guild_ledger USING INTEGER PRIMARY KEY (rowid=?)');
  const audit = planOf(AUDIT_ENDS);
  expect(audit).toContain('SEARCH guild USING INTEGER PRIMARY KEY (rowid=?)');
  expect(audit).toContain('SEARCH e USING PRIMARY KEY (guild_no=?)');
  expect(audit).not.toMatch(/SCAN (guild|e)\b/);
});
