import type { Database } from './connection.ts';
import type { Pipelines } from './pipelined.ts';
import { prepare } from './statement.ts';

/**
 * The guilds whose audit counters to read, the accounts, and the guilds whose ledgers to read. `accountGuilds` and
 * `playerIds` have the same length.
 */
export interface MarksQuestions {
  logGuilds: readonly number[];
  accountGuilds: readonly number[];
  playerIds: readonly string[];
  ledgerGuilds: readonly number[];
}

/** The answers, each at the index of its question. */
export interface MarksRow {
  entryNos: (number | null)[] | null;
  accountNos: (number | null)[] | null;
  counts: (number | null)[] | null;
  archivedCounts: (number | null)[] | null;
  /** Null on a distributed store. */
  ledgers: string[] | null;
}

const NO_MARKS: MarksRow = {
  entryNos: null,
  accountNos: null,
  counts: null,
  archivedCounts: null,
  ledgers: null,
};

const COLUMNS =
  'entry_nos AS "entryNos", account_nos AS "accountNos", counts, archived_counts AS "archivedCounts"';
const READ = prepare<Omit<MarksRow, 'ledgers'>>(`SELECT ${COLUMNS} FROM read_cache_marks($1, $2, $3)`);
const READ_LEDGERS = prepare<Pick<MarksRow, 'ledgers'>>('SELECT read_ledger_marks($1) AS ledgers');
// One statement also for questions of both kinds: behind a pooler only one may be sent at a time.
const READ_ALL = prepare<MarksRow>(
  `SELECT ${COLUMNS}, read_ledger_marks($4) AS ledgers FROM read_cache_marks($1, $2, $3)`,
);
const READ_ON_WORKER = prepare<Omit<MarksRow, 'ledgers'>>(
  `SELECT ${COLUMNS} FROM read_worker_marks($1, $2, $3)`,
);
const READ_LOG = prepare<{ entryNo: number }>(
  'SELECT last_entry_no AS "entryNo" FROM audit_counter WHERE guild_no = $1',
);
const READ_ACCOUNTS = prepare<{
  playerIds: string[] | null;
  accountNos: number[];
  counts: number[];
  archivedCounts: number[];
}>(
  `SELECT array_agg(player_id) AS "playerIds", array_agg(account_no) AS "accountNos",
     array_agg(transaction_count) AS counts, array_agg(archived_count) AS "archivedCounts"
   FROM account WHERE guild_no = $1 AND player_id = ANY ($2::text[])`,
);

/**
 * Reads all counters in one statement, or, through the coordinator of a distributed store, those of each guild in statements of
 * their own.
 */
export function askMarks(
  { isDistributed, isWorker = false }: Database,
  pipelines: Pipelines,
  lines: number,
): (questions: MarksQuestions) => Promise<MarksRow> {
  const lineOf = (guildNo: number) => guildNo % lines;

  async function readLog(guildNo: number): Promise<number> {
    return (await pipelines.first(lineOf(guildNo), READ_LOG, [guildNo]))?.entryNo ?? 0;
  }

  async function readAccounts(guildNo: number, playerIds: readonly string[]) {
    const row = await pipelines.first(lineOf(guildNo), READ_ACCOUNTS, [guildNo, playerIds]);
    return (row?.playerIds ?? []).map((playerId, index) => ({
      account: `${guildNo} ${playerId}`,
      accountNo: row?.accountNos[index] ?? null,
      count: row?.counts[index] ?? null,
      archivedCount: row?.archivedCounts[index] ?? null,
    }));
  }

  async function askEach({ logGuilds, accountGuilds, playerIds }: MarksQuestions): Promise<MarksRow> {
    const players = new Map<number, string[]>();
    for (const [index, guildNo] of accountGuilds.entries()) {
      players.set(guildNo, [...(players.get(guildNo) ?? []), playerIds[index] ?? '']);
    }
    const [entryNos, accounts] = await Promise.all([
      Promise.all(logGuilds.map(readLog)),
      Promise.all(Array.from(players, ([guildNo, ids]) => readAccounts(guildNo, ids))),
    ]);
    const found = new Map(accounts.flat().map((one) => [one.account, one]));
    const asked = playerIds.map((playerId, index) => found.get(`${accountGuilds[index]} ${playerId}`));
    return {
      ...NO_MARKS,
      entryNos,
      accountNos: asked.map((one) => one?.accountNo ?? null),
      counts: asked.map((one) => one?.count ?? null),
      archivedCounts: asked.map((one) => one?.archivedCount ?? null),
    };
  }

  async function askAll(questions: MarksQuestions): Promise<MarksRow> {
    const { logGuilds, accountGuilds, playerIds, ledgerGuilds } = questions;
    const values = [logGuilds, accountGuilds, playerIds];
    if (ledgerGuilds.length === 0) {
      return { ...NO_MARKS, ...(await pipelines.first(0, READ, values)) };
    }
    const hasOthers = logGuilds.length > 0 || playerIds.length > 0;
    const row = hasOthers
      ? await pipelines.first(0, READ_ALL, [...values, ledgerGuilds])
      : await pipelines.first(0, READ_LEDGERS, [ledgerGuilds]);
    return { ...NO_MARKS, ...row };
  }

  async function askWorker({ logGuilds, accountGuilds, playerIds }: MarksQuestions): Promise<MarksRow> {
    const values = [logGuilds, accountGuilds, playerIds];
    return { ...NO_MARKS, ...(await pipelines.first(0, READ_ON_WORKER, values)) };
  }

  if (isWorker) {
    return askWorker;
  }
  return isDistributed ? askEach : askAll;
}
