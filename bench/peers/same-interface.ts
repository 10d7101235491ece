import { DatabaseSync } from 'node:sqlite';
import { createLoads, smallPlayerOf } from '../support/loads.ts';
import type { Load } from '../support/wrk.ts';
import { ACCOUNT_ROWS, expectEqual, type JobName, PAGE_ROWS } from './peer.ts';

// The service and the Express program have the same requests, answers and table of transactions.

export function interfaceLoads(keys: readonly string[]): Record<JobName, Load> {
  const { discharge, listInTurn, postDistinct } = createLoads(keys);
  return { record: discharge, list: listInTurn, post: postDistinct };
}

/** Checks an answer against the request that the load sends at this index. */
export function checkInterfaceAnswer(
  loads: Record<JobName, Load>,
  { job, index, body }: { job: JobName; index: number; body: string },
): void {
  const answer = JSON.parse(body);
  const request = loads[job].request(index);
  expectEqual(answer.success, true, 'success');
  if (job === 'record') {
    expectEqual(answer.data.id, request.path.split('/').at(-1), 'the id of the discharge');
    expectEqual(Object.keys(answer.data).length, 10, 'the number of fields');
  } else if (job === 'list') {
    expectEqual(answer.data.playerId, smallPlayerOf(index), 'the player');
    expectEqual(answer.data.transactions.length, PAGE_ROWS, 'the number of transactions');
    expectEqual(answer.pagination.total, ACCOUNT_ROWS, 'the total');
    for (const { amount, quantity, total } of answer.data.transactions) {
      expectEqual(total, amount * quantity, 'the total of a transaction');
    }
  } else {
    const type = JSON.parse(request.body ?? '').amount > 0 ? 'deposit' : 'withdrawal';
    expectEqual(answer.type, type, 'the type of the transaction');
  }
}

/** Counts the rows of a SQLite table from outside, while the peer runs. */
export function countRows(file: string, table: string): number {
  const db = new DatabaseSync(file, { readOnly: true });
  try {
    return Number(db.prepare(`SELECT count(*) AS count FROM ${table}`).get()?.count);
  } finally {
    db.close();
  }
}
