import path from 'node:path';
import type { DatabaseSync } from 'node:sqlite';
import { setTimeout as pause } from 'node:timers/promises';
import { expect, test } from 'vitest';
import { depth } from '../support/depth.ts';
import { createFolder } from '../support/folder.ts';
import { createPoster, kindOf, type PlannedPost, rowsOf } from '../support/load.ts';
import { LONG_TEST, untilTrue } from '../support/patience.ts';
import { type ServerProcess, startServer } from '../support/process.ts';
import { readStore } from '../support/read-store.ts';
import { findSparePort } from '../support/spare-port.ts';

const KILLS = depth({ normal: 2, deep: 12 });
const WORKERS = 16;
const POSTS_BEFORE_KILL = 150;
const PLAYERS = 7;
/** After a refusal, so that a machine that is too busy is not kept busy. */
const BREATH_MS = 5;

test(
  `every acknowledged post, payment and batch is there exactly once after ${KILLS} kills under load`,
  LONG_TEST,
  async () => {
    const folder = createFolder();
    const file = path.join(folder, 'guildbook.db');
    const poster = await createPoster(file, 300);
    // Nobody else may get the port of a killed server while posts are on their way to it.
    const PORT = String(await findSparePort());
    const env = { DATABASE_URL: `sqlite:${file}`, LOG_LEVEL: 'info', PORT };
    const acknowledged: PlannedPost[] = [];
    let inDoubt: PlannedPost[] = [];
    let planned = 0;

    function nextPost(): PlannedPost {
      const retry = inDoubt.pop();
      if (retry !== undefined) {
        return retry;
      }
      planned += 1;
      const amount = (planned % 2 === 0 ? 1 : -1) * (planned / 100);
      return {
        playerId: `p${planned % PLAYERS}`,
        name: `post-${planned}`,
        amount,
        quantity: 1 + (planned % 5),
        ...kindOf(planned),
      };
    }

    async function work(server: ServerProcess, isOver: () => boolean): Promise<void> {
      while (!isOver()) {
        const post = nextPost();
        if (await poster.post(server.address, post)) {
          acknowledged.push(post);
        } else {
          unanswered.push(post);
          await pause(BREATH_MS);
        }
      }
    }

    // Posts whose answer never came go out again after the restart, with the same idempotency key.
    let unanswered: PlannedPost[] = [];
    for (let round = 0; round < KILLS; round += 1) {
      const server = await startServer({ cwd: folder, env });
      const target = acknowledged.length + POSTS_BEFORE_KILL;
      let isKilled = false;
      const isOver = () => isKilled;
      const workers = Array.from({ length: WORKERS }, () => work(server, isOver));
      await untilTrue(() => acknowledged.length >= target);
      // The kill falls into the middle of the load: all workers have a request under way.
      server.child.kill('SIGKILL');
      isKilled = true;
      expect(await server.ended).toEqual({ status: null, signal: 'SIGKILL' });
      await Promise.all(workers);
      inDoubt = unanswered;
      unanswered = [];
    }
    const server = await startServer({ cwd: folder, env });
    await work(server, () => inDoubt.length === 0);
    while (unanswered.length > 0) {
      inDoubt = unanswered;
      unanswered = [];
      await work(server, () => inDoubt.length === 0);
    }
    server.child.kill('SIGTERM');
    expect(await server.ended).toEqual({ status: 0, signal: null });

    expect(acknowledged.length).toBeGreaterThanOrEqual(KILLS * POSTS_BEFORE_KILL);
    readStore(file, (db) => assertLedger(db, acknowledged));
  },
);

function assertLedger(db: DatabaseSync, acknowledged: readonly PlannedPost[]): void {
  const names = db.prepare('SELECT name FROM ledger_transaction').all();
  const stored = names.map((row) => row.name).sort();
  expect(stored).toEqual(acknowledged.flatMap(rowsOf).sort());
  // Both sides of a payment and both items of a batch, which follow one another, or nothing.
  const halves = db.prepare(
    `SELECT count(*) AS count FROM (
       SELECT count(*) AS rows, max(number) - min(number) AS apart FROM ledger_transaction GROUP BY name
     ) WHERE rows > 2 OR apart > 1`,
  );
  expect(halves.get()).toEqual({ count: 0 });

  const gaps = db.prepare(
    `SELECT count(*) AS count FROM (
       SELECT seq, row_number() OVER (PARTITION BY account_no ORDER BY seq) AS expected FROM ledger_transaction
     ) WHERE seq <> expected`,
  );
  expect(gaps.get()).toEqual({ count: 0 });
  const wrong = db.prepare(
    `SELECT count(*) AS count FROM account a WHERE
       balance <> (SELECT sum(total) FROM ledger_transaction t WHERE t.account_no = a.account_no) OR
       transaction_count <> (SELECT count(*) FROM ledger_transaction t WHERE t.account_no = a.account_no)`,
  );
  expect(wrong.get()).toEqual({ count: 0 });
  const expected = acknowledged.reduce((sum, { amount, quantity, kind }) => {
    const total = BigInt(Math.round(amount * 10_000)) * BigInt(quantity);
    return sum + { post: total, batch: 2n * total, payment: 0n, discharge: 0n }[kind ?? 'post'];
  }, 0n);
  const sums = db.prepare('SELECT sum(balance) AS total FROM account');
  sums.setReadBigInts(true);
  expect(sums.get()).toEqual({ total: expected });
  expect(db.prepare('PRAGMA integrity_check').get()).toEqual({ integrity_check: 'ok' });
  expect(db.prepare('PRAGMA foreign_key_check').all()).toEqual([]);
}
