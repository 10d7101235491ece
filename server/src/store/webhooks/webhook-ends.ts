import { DomainError } from '../../domain/errors.ts';
import type { Positions } from '../../domain/webhooks/webhook.ts';
import { NO_GUILD } from '../audit/audit-writer.ts';
import { createBatchQueue } from '../batch-queue.ts';
import type { Engine } from '../jobs.ts';
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

export type EndsEngine = Pick<Engine, 'read' | 'divideByServer'>;

/** The ends of logs, as far as the servers that have them answer. */
export interface Ends {
  /** Undefined while the guild's server does not answer. */
  of(guildNo: number): Positions | undefined;
  /** False while the server of the log that belongs to no guild does not answer. Its end is then 0. */
  knowsPeople: boolean;
}

interface ServerEnds {
  guildNos: readonly number[];
  feed: readonly End[];
  audit: readonly End[];
}

/** Reads the last numbers of the logs of guilds. Rejects when no server answers. */
export async function readEnds(
  { read, divideByServer }: EndsEngine,
  guilds: readonly number[],
): Promise<Ends> {
  const servers = divideByServer([...new Set([...guilds, NO_GUILD])]);
  const results = await Promise.allSettled(servers.map(({ guildNos }) => readOnServer(read, guildNos)));
  const answers = results.flatMap((result) => (result.status === 'fulfilled' ? [result.value] : []));
  const failures = results.flatMap((result) => (result.status === 'rejected' ? [result.reason] : []));
  const failure = failures.find((reason) => !isUnavailable(reason)) ?? failures[0];
  if (failure !== undefined && (answers.length === 0 || !isUnavailable(failure))) {
    throw failure;
  }
  const known = new Set(answers.flatMap(({ guildNos }) => guildNos));
  const feedEnds = toEnds(answers.flatMap(({ feed }) => feed));
  const auditEnds = toEnds(answers.flatMap(({ audit }) => audit));
  return {
    of: (guildNo) =>
      known.has(guildNo)
        ? {
            feed: feedEnds.get(guildNo) ?? 0,
            audit: auditEnds.get(guildNo) ?? 0,
            people: auditEnds.get(NO_GUILD) ?? 0,
          }
        : undefined,
    knowsPeople: known.has(NO_GUILD),
  };
}

async function readOnServer(read: Sql, guildNos: readonly number[]): Promise<ServerEnds> {
  const feed = await read.all(FEED_ENDS, [guildNos]);
  return { guildNos, feed, audit: await read.all(AUDIT_ENDS, [guildNos]) };
}

function isUnavailable(error: unknown): boolean {
  return error instanceof DomainError && error.code === 'store_unavailable';
}

function toEnds(rows: readonly End[]): Map<number, number> {
  return new Map(rows.map(({ guildNo, end }) => [guildNo, end]));
}

/**
 * Reads the ends of one guild's logs. Calls that wait share two statements on each server. Each answer reflects every
 * commit acknowledged before its call.
 */
export function createEndsReader(engine: EndsEngine): (guildNo: number) => Promise<Positions> {
  const queue = createBatchQueue<number, Positions>({
    async run(guildNos) {
      const ends = await readEnds(engine, guildNos);
      return guildNos.map((guildNo) => {
        const value = ends.of(guildNo);
        return value === undefined ? { error: unavailable() } : { value };
      });
    },
    batchMax: GUILDS_MAX,
    queueMax: WAITING_MAX,
  });
  return queue.submit;
}

function unavailable(): DomainError {
  const cause = new Error("the server that has the guild's rows does not answer");
  return new DomainError('store_unavailable', { cause, retryAfterSeconds: 1 });
}
