import type { Positions } from '../../domain/webhooks/webhook.ts';
import { NO_GUILD } from '../audit/audit-writer.ts';
import { createBatchQueue } from '../batch-queue.ts';
import { type Sql, statement } from '../sql.ts';

/** Limits of guilds whose ends are read together, and of those that wait. */
const GUILDS_MAX = 1_000;
const WAITING_MAX = 20_000;

interface End {
  guildNo: number;
  end: number;
}

// On a distributed store endpoints are on the coordinator and the logs that they follow on other nodes: no statement
// compares them.
export const FEED_ENDS = statement<End>(
  ({ isOneOf }) =>
    `SELECT guild_no AS "guildNo", last_number AS "end" FROM guild_ledger WHERE ${isOneOf('guild_no', { value: '$1', type: 'bigint' })}`,
);
export const AUDIT_ENDS = statement<End>(
  ({ isOneOf }) =>
    `SELECT guild_no AS "guildNo", last_entry_no AS "end" FROM audit_counter WHERE ${isOneOf('guild_no', { value: '$1', type: 'bigint' })}`,
);

/** Reads the last numbers of the logs of guilds. */
export async function readEnds(
  read: Sql,
  guilds: readonly number[],
): Promise<(guildNo: number) => Positions> {
  const guildNos = [...new Set(guilds)];
  const feedEnds = toEnds(await read.all(FEED_ENDS, [guildNos]));
  const auditEnds = toEnds(await read.all(AUDIT_ENDS, [[...guildNos, NO_GUILD]]));
  return (guildNo) => ({
    feed: feedEnds.get(guildNo) ?? 0,
    audit: auditEnds.get(guildNo) ?? 0,
    people: auditEnds.get(NO_GUILD) ?? 0,
  });
}

function toEnds(rows: readonly End[]): Map<number, number> {
  return new Map(rows.map(({ guildNo, end }) => [guildNo, end]));
}

/**
 * Reads the ends of one guild's logs. Calls that wait share two statements. Each answer reflects every commit
 * acknowledged before its call.
 */
export function createEndsReader(read: Sql): (guildNo: number) => Promise<Positions> {
  const queue = createBatchQueue<number, Positions>({
    async run(guildNos) {
      const endsOf = await readEnds(read, guildNos);
      return guildNos.map((guildNo) => ({ value: endsOf(guildNo) }));
    },
    batchMax: GUILDS_MAX,
    queueMax: WAITING_MAX,
  });
  return queue.submit;
}
