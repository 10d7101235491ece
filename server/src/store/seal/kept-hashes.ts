import { commandLine } from '../../command-name.ts';
import { OperatorError } from '../../domain/errors.ts';
import type { SealBase } from '../../domain/seal/seal-store.ts';
import { type Sql, statement } from '../sql.ts';
import { growTiles, orDamage } from './growth.ts';
import { PUT_TILES } from './seal-logs.ts';

const FIND_BASE = statement<SealBase>(
  ({ forUpdate }) =>
    `SELECT first_number AS "firstNumber", size, tiled, frontier FROM seal_log WHERE guild_no = $1 ${forUpdate}`,
);
const MARK_TILED = statement('UPDATE seal_log SET tiled = size WHERE guild_no = $1');

/**
 * Makes sure that the hashes of the transactions up to a number are in tiles, so that their rows can be removed. Refuses when they are
 * not sealed yet. A ledger without a log begins its log after the removed rows.
 */
export async function keepSealedHashes(sql: Sql, guildNo: number, throughNumber: number): Promise<void> {
  const base = await sql.first(FIND_BASE, [guildNo]);
  if (base === undefined || throughNumber < base.firstNumber + base.tiled) {
    return;
  }
  const sealed = base.firstNumber + base.size - 1;
  if (throughNumber > sealed) {
    throw new OperatorError(
      `the ledger is sealed up to transaction ${sealed}, and ${throughNumber} would be archived: ` +
        'let the service seal it first',
    );
  }
  const grown = await orDamage(() => growTiles(sql, { guildNo, ...base }, base.size));
  if ('damage' in grown) {
    throw new OperatorError(`${grown.damage}: run "${commandLine('verify')}"`);
  }
  await sql.runMany(
    PUT_TILES,
    [guildNo],
    grown.tiles.map(({ level, tileNo, hashes }) => [level, tileNo, hashes]),
  );
  await sql.run(MARK_TILED, [guildNo]);
}
