import { openPool, type Target } from './connection.ts';
import { createRunner, prepare } from './statement.ts';

/** Numbers drawn at one go where every post asks for some. */
const BLOCK = 1_000;

const DRAW_NUMBERS = prepare<{ accountNo: number }>(
  `SELECT nextval('account_number') AS "accountNo" FROM generate_series(1, $1::int)`,
);

export interface AccountNumbers {
  /** So many numbers that nobody else gets. Whoever asks first gets the lower ones. */
  take(count: number): Promise<number[]>;
  close(): Promise<void>;
}

/**
 * Numbers for new accounts. Where tables are distributed, the machine that opens an account has no sequence that would be
 * unique among all machines: they come from the one that all instances connect to, in blocks. On a connection of its
 * own, because a post under way must get them whoever else waits for connections.
 */
export function createAccountNumbers(target: Target): AccountNumbers {
  const pool = openPool({ ...target, connections: 1 });
  const runner = createRunner((query) => pool.query(query), !target.isPooled);
  const drawn: number[] = [];
  let last: Promise<unknown> = Promise.resolve();

  async function draw(count: number): Promise<number[]> {
    if (drawn.length < count) {
      const rows = await runner.all(DRAW_NUMBERS, [target.isDistributed ? Math.max(count, BLOCK) : count]);
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
