import { OperatorError } from '../../domain/errors.ts';
import { openClient, type Target } from './connection.ts';

/** A table that is there only while a copy into the store is unfinished. */
export const COPY_MARK = 'copy_under_way';

/** Half of a ledger must not be served: posts would go into accounts whose past is still missing. */
export async function assertNoCopyUnderWay(target: Target): Promise<void> {
  const client = await openClient(target);
  try {
    const { rows } = await client.query(`SELECT to_regclass('${COPY_MARK}') IS NOT NULL AS "isThere"`);
    if (rows[0]?.isThere === true) {
      throw new OperatorError(
        'the store is an unfinished copy: run the same "guildbook copy" again to finish it',
      );
    }
  } finally {
    await client.end();
  }
}
