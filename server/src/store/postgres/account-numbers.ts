import { type Database, openPool } from './connection.ts';
import { createRunner, prepare } from './statement.ts';

/** Numbers drawn at once on a distributed store, where every post asks for some. */
const BLOCK = 1_000;

const DRAW_NUMBERS = prepare<{ accountNo: number }>(
  `SELECT nextval('account_number') AS "accountNo" FROM generate_series(1, $1::int)`,
);

export interface AccountNumbers {
  /** Returns `count` numbers that nobody else gets. Earlier calls get lower numbers. */
  take(count: number): Promise<number[]>;
  close(): Promise<void>;
}

/**
 * Gives numbers to new accounts. On a distributed store the node that opens an account has no sequence that is unique
 * among all nodes, so the numbers come in blocks from the coordinator. They have a connection of their own, because a
 * pending post must get them even when all other connections are in use.
 */
export function createAccountNumbers(database: Database): AccountNumbers {
  const pool = openPool({ ...database, connections: 1 }, {}, 'number');
  const runner = createRunner((query) => pool.query(query), !database.isPooled);
  const drawn: number[] = [];
  let last: Promise<unknown> = Promise.resolve();

  async function draw(count: number): Promise<number[]> {
    if (drawn.length < count) {
      const rows = await runner.all(DRAW_NUMBERS, [database.isDistributed ? Math.max(count, BLOCK) : count]);
      drawn.push(...rows.map(({ accountNo }) => accountNo));
    }
    return drawn.splice(0, count);
  }

  return {
    take(count) {
      const turn = last.then(
        () => draw(count),
        () => draw(count),
      );
      last = turn;
      return turn;
    },
    close: () => pool.end(),
  };
}
