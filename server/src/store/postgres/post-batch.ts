import type { LIMIT_TEXTS } from '../../domain/ledger/key-limits.ts';
import type { GuildRef, Idempotency, NewTransaction } from '../../domain/model.ts';
import { EXTRA_COLUMNS, extraValues } from '../ledger/extra-columns.ts';
import type { AccountNumbers } from './account-numbers.ts';
import type { Database } from './connection.ts';
import { type Call, prepare, type Value } from './statement.ts';

export type Refusal =
  | 'idempotency_mismatch'
  | 'batch_mismatch'
  | 'already_reversed'
  | 'overdraft'
  | 'balance_out_of_range'
  | keyof typeof LIMIT_TEXTS;

export interface BatchRow {
  outcomes: ('posted' | 'replayed' | 'busy' | 'skipped' | Refusal)[];
  ids: (string | null)[];
  balances: (number | null)[];
  /**
   * The number and the time of each post that was written. `ats` is empty when the times are those of the posts. Statements of a
   * distributed store return neither.
   */
  numbers?: (number | null)[] | null;
  ats?: (number | null)[] | null;
}

/** The result of a statement, and the position of a group's first post in it. */
export interface Written {
  row: BatchRow | undefined;
  first: number;
}

/** The length of what `toArguments` returns. */
const BATCH_ARGUMENTS = 29 + EXTRA_COLUMNS.length;

function placeholders(count: number): string {
  return Array.from({ length: count }, (_, index) => `$${index + 1}`).join(', ');
}

const APPEND = prepare<BatchRow>(
  `SELECT outcomes, outcome_ids AS ids, outcome_balances AS balances, row_numbers AS numbers, row_ats AS ats
   FROM post_transactions(${placeholders(BATCH_ARGUMENTS)})`,
);

// Posts of one guild. Citus runs the function on the node that has the guild's rows, chosen by the first argument.
const APPEND_TO_ONE = prepare<BatchRow>(
  `SELECT outcomes, outcome_ids AS ids, outcome_balances AS balances
   FROM append_guild_transactions(${placeholders(2 + BATCH_ARGUMENTS)})`,
);

// Like APPEND_TO_ONE, and writes the audit entries. For posts that people make by hand.
const APPEND_CORRECTION = prepare<BatchRow>(
  `SELECT outcomes, outcome_ids AS ids, outcome_balances AS balances
   FROM append_correction(${placeholders(5 + BATCH_ARGUMENTS)})`,
);

/** Makes the statement that writes a batch. */
export interface Appending {
  append(batch: Batch): Promise<Call<BatchRow>>;
  /** Posts of one guild by one person, with their audit entries. */
  correct(batch: Batch, correction: Correction): Promise<Call<BatchRow>>;
}

/** The person who corrects, and the audit detail of each post. */
export interface Correction {
  atMs: number;
  chatId: string;
  details: readonly string[];
}

export function createAppending({ isDistributed }: Database, numbers: AccountNumbers): Appending {
  function numbersFor({ groups }: Batch): Promise<number[]> {
    return numbers.take(new Set(groups.flatMap(({ posts }) => posts.map(({ playerId }) => playerId))).size);
  }

  const argumentsOfOne = async (batch: Batch): Promise<Value[]> => [
    guildOf(batch),
    await numbersFor(batch),
    ...toArguments(batch),
  ];

  return {
    append: async (batch) =>
      isDistributed
        ? { statement: APPEND_TO_ONE, values: await argumentsOfOne(batch) }
        : { statement: APPEND, values: toArguments(batch) },
    correct: async (batch, { atMs, chatId, details }) => ({
      statement: APPEND_CORRECTION,
      values: [guildOf(batch), atMs, chatId, details, await numbersFor(batch), ...toArguments(batch)],
    }),
  };
}

function guildOf({ groups }: Batch): number {
  return groups[0]?.guild.guildNo ?? 0;
}

/** The posts of one request. */
export interface PostGroup {
  guild: GuildRef;
  posts: readonly NewTransaction[];
  /** Writes all of the posts or none. False for a single post. */
  isAtomic: boolean;
  /** The idempotency key of the first post is that of the whole group. */
  isKeyed: boolean;
  /** The key of the request, which the statement binds to it. */
  batch: Idempotency | undefined;
}

/** The posts of one statement. */
export interface Batch {
  groups: readonly PostGroup[];
  /** True (the default) waits for guild ledgers that others have locked; false reports their posts as busy. */
  waits?: boolean;
}

/**
 * The arguments of the append functions, one array for each column. Guilds, players and keys are listed once; posts
 * refer to them by position, counted from 1. Guilds are in ascending order.
 */
function toArguments({ groups, waits = true }: Batch): Value[] {
  const posts = groups.flatMap((group) => group.posts);
  const guildNos = [...new Set(posts.map(({ guild }) => guild.guildNo))].sort((left, right) => left - right);
  const guildPlaces = new Map(guildNos.map((guildNo, index) => [guildNo, index + 1]));
  const players = createPlaces();
  const keys = createPlaces();
  const accountOf: number[] = [];
  const keyOf: number[] = [];
  for (const { guild, playerId, idempotency } of posts) {
    const guildPlace = guildPlaces.get(guild.guildNo) ?? 0;
    accountOf.push(players.placeOf(guildPlace, playerId));
    keyOf.push(idempotency === undefined ? 0 : keys.placeOf(guildPlace, idempotency.key));
  }
  const limited = limitedKeys(posts, guildPlaces);
  const extras = posts.flatMap(({ extra }, index) =>
    extra === undefined ? [] : [{ values: extraValues(extra), post: index + 1 }],
  );
  return [
    waits,
    ...groupArguments(groups, guildPlaces),
    guildNos,
    players.guilds,
    players.names,
    keys.guilds,
    keys.names,
    accountOf,
    orEmpty(keyOf),
    orEmpty(posts.map(({ idempotency }) => idempotency?.requestHash)),
    posts.map(({ transactionId }) => transactionId),
    posts.map(({ amountUnits }) => amountUnits),
    posts.map(({ quantity }) => quantity),
    posts.map(({ totalUnits }) => totalUnits),
    posts.map(({ name }) => name),
    posts.map(({ source }) => source),
    posts.map(({ keyNo }) => keyNo),
    posts.map(({ createdAtMs }) => createdAtMs),
    orEmpty(posts.map(({ postedBy }) => postedBy)),
    posts.flatMap(({ isForced }, index) => (isForced === true ? [index + 1] : [])),
    extras.map(({ post }) => post),
    ...EXTRA_COLUMNS.map((_column, index) => extras.map(({ values }) => values[index])),
    limited.guilds,
    limited.names.map(Number),
    limited.of,
  ];
}

/** A column that no post uses is passed as an empty array. The functions read missing elements as NULL. */
function orEmpty<Element extends string | number | undefined>(
  column: readonly Element[],
): readonly Element[] {
  return column.some(Boolean) ? column : [];
}

/** The arguments about groups. All arrays are empty when the statement has single posts only. */
function groupArguments(groups: readonly PostGroup[], guildPlaces: ReadonlyMap<number, number>): Value[] {
  const atomic = groups.filter(({ isAtomic }) => isAtomic);
  const batches = createPlaces();
  const batchOf = atomic.map(({ guild, batch }) =>
    batch === undefined ? 0 : batches.placeOf(guildPlaces.get(guild.guildNo) ?? 0, batch.key),
  );
  let last = 0;
  const groupOf = groups.flatMap(({ isAtomic, posts }) => {
    last += isAtomic ? 1 : 0;
    const place = isAtomic ? last : 0;
    return posts.map(() => place);
  });
  return [
    atomic.length === 0 ? [] : groupOf,
    atomic.map(({ isKeyed }) => isKeyed),
    batchOf,
    atomic.map(({ batch }) => batch?.requestHash),
    batches.guilds,
    batches.names,
  ];
}

/**
 * The limited keys among those that post, and the position of each post's key (0 for none). All arrays are empty when
 * no key is limited.
 */
function limitedKeys(posts: readonly NewTransaction[], guildPlaces: ReadonlyMap<number, number>) {
  const keys = createPlaces();
  const of = posts.map(({ guild, keyNo, isKeyLimited }) =>
    isKeyLimited === true && keyNo !== undefined
      ? keys.placeOf(guildPlaces.get(guild.guildNo) ?? 0, String(keyNo))
      : 0,
  );
  return { guilds: keys.guilds, names: keys.names, of: keys.names.length === 0 ? [] : of };
}

/** Gives each name of a guild a position, counted from 1, at its first use. */
function createPlaces() {
  const places = new Map<string, number>();
  const guilds: number[] = [];
  const names: string[] = [];
  return {
    guilds,
    names,
    placeOf(guildPlace: number, name: string): number {
      const mark = `${guildPlace} ${name}`;
      let place = places.get(mark);
      if (place === undefined) {
        place = names.push(name);
        guilds.push(guildPlace);
        places.set(mark, place);
      }
      return place;
    },
  };
}
