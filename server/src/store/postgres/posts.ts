import { DomainError } from '../../domain/errors.ts';
import { decimalText } from '../../domain/ledger/amount.ts';
import type { AppendOutcome, Change, NewTransaction } from '../../domain/model.ts';
import type { WriteOutcome } from '../group-commit.ts';
import { openAudit } from './audit.ts';
import type { Target } from './connection.ts';
import { faultKind, isLockTimeout, toDomainError } from './faults.ts';
import { createPipelines, type Pipelines } from './pipelined.ts';
import { createPostLanes, type LaneOutcome } from './post-lanes.ts';
import { prepare, type Value } from './statement.ts';
import { repeatedly, type Writer } from './write.ts';

/** Statements that run side by side, each on a connection of its own; more only make the batches smaller. */
const LANES_MAX = 2;
const STATEMENTS_PER_LANE = 2;

type Refusal = 'idempotency_mismatch' | 'overdraft' | 'balance_out_of_range';

interface BatchRow {
  outcomes: ('posted' | 'replayed' | 'busy' | Refusal)[];
  ids: (string | null)[];
  balances: (number | null)[];
}

const APPEND = prepare<BatchRow>(
  `SELECT outcomes, outcome_ids AS ids, outcome_balances AS balances
   FROM append_posts($1, $2, $3, $4, $5, $6, $7, $8, $9, $10, $11, $12, $13, $14, $15, $16, $17, $18)`,
);

export interface PostStore {
  append: (transaction: NewTransaction) => Promise<AppendOutcome>;
  /** Belongs behind the writer's end, which waits for all posts. */
  close(): Promise<void>;
}

/** Posts of all guilds go out together in one statement, those that arrive meanwhile in the next one. */
export function createPosts(target: Target, writer: Writer, onBatch: (size: number) => void): PostStore {
  const lanes = Math.min(LANES_MAX, target.connections);
  const pipelines = createPipelines(target, lanes);
  const submit = createPostLanes({
    lanes,
    // A pooler may hand each statement to another session.
    statementsPerLane: target.isPooled ? 1 : STATEMENTS_PER_LANE,
    commit: (lane, posts) => appendOnLane(pipelines, lane, posts),
    commitApart: (posts) => appendApart(writer, posts),
    onBatch,
  });
  const append = async (post: NewTransaction) => {
    const [outcome] = await appendApart(writer, [post]);
    return take(outcome);
  };
  return {
    append: (post) =>
      post.postedBy === undefined
        ? writer.admit(() => (writer.isHeld() ? append(post) : submit(post)))
        : correct(writer, post, post.postedBy),
    close: pipelines.close,
  };
}

/**
 * What a person posts by hand is a change like any other: the log says who did it. It takes the log's lock first, as
 * every audited write does, and therefore a transaction of its own.
 */
function correct(writer: Writer, post: NewTransaction, postedBy: string): Promise<AppendOutcome> {
  const { guild, transactionId, createdAtMs, playerId, name, quantity } = post;
  const { guildNo } = guild;
  return writer.write(`guild ${guildNo}`, async (transaction) => {
    const change: Change = { actor: { kind: 'user', id: postedBy }, atMs: createdAtMs };
    const audit = await openAudit(transaction, { guildNo, change, subjectKind: 'transaction' });
    const outcome = take(toOutcome(await transaction.first(APPEND, toArguments([post], WAITS)), 0));
    if (!outcome.replayed) {
      const amount = decimalText(post.amountUnits);
      const total = decimalText(post.totalUnits);
      audit.add({
        subjectId: transactionId,
        before: undefined,
        after: { playerId, name, quantity, amount, total },
      });
      await audit.write();
    }
    return outcome;
  });
}

/** What one guild's posts may not do to those of others is settled by sending each guild's apart. */
async function appendOnLane(
  pipelines: Pipelines,
  lane: number,
  posts: readonly NewTransaction[],
): Promise<LaneOutcome[]> {
  const values = toArguments(posts, { waits: false });
  try {
    const row = await repeatedly(() => pipelines.first(lane, APPEND, values));
    return posts.map((_, index) => (row?.outcomes[index] === 'busy' ? 'busy' : toOutcome(row, index)));
  } catch (error) {
    const isOfOneGuild = faultKind(error) === 'defect' || isLockTimeout(error);
    return posts.map(() => (isOfOneGuild ? 'busy' : { error: toDomainError(error) }));
  }
}

/** Posts of one guild in a statement that waits for its ledger. */
async function appendApart(
  writer: Writer,
  posts: readonly NewTransaction[],
): Promise<WriteOutcome<AppendOutcome>[]> {
  try {
    const row = await writer.writeOnce(APPEND, toArguments(posts, WAITS));
    return posts.map((_, index) => toOutcome(row, index));
  } catch (error) {
    // A defect in one post must not fail its neighbours: each goes alone.
    if (faultKind(error) === 'defect' && posts.length > 1) {
      const outcomes: WriteOutcome<AppendOutcome>[] = [];
      for (const post of posts) {
        outcomes.push(...(await appendApart(writer, [post])));
      }
      return outcomes;
    }
    return posts.map(() => ({ error: toDomainError(error) }));
  }
}

function take(outcome: WriteOutcome<AppendOutcome> | undefined): AppendOutcome {
  if (outcome === undefined || 'error' in outcome) {
    throw outcome?.error ?? new DomainError('internal', { cause: new Error('a post has no outcome') });
  }
  return outcome.value;
}

function toOutcome(row: BatchRow | undefined, index: number): WriteOutcome<AppendOutcome> {
  const outcome = row?.outcomes[index];
  if (outcome !== 'posted' && outcome !== 'replayed') {
    return { error: new DomainError(outcome === undefined || outcome === 'busy' ? 'internal' : outcome) };
  }
  const transactionId = row?.ids[index];
  const balanceUnits = row?.balances[index];
  if (typeof transactionId !== 'string' || typeof balanceUnits !== 'number') {
    return { error: new DomainError('internal', { cause: new Error('a post has no outcome') }) };
  }
  return { value: { transactionId, balanceUnits, replayed: outcome === 'replayed' } };
}

const WAITS = { waits: true };

/** Column by column, with guilds, players and keys named once and pointed to by place. Guilds ascend. */
function toArguments(posts: readonly NewTransaction[], { waits }: { waits: boolean }): Value[] {
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
  return [
    waits,
    guildNos,
    players.guilds,
    players.names,
    keys.guilds,
    keys.names,
    accountOf,
    keyOf,
    posts.map(({ idempotency }) => idempotency?.requestHash),
    posts.map(({ transactionId }) => transactionId),
    posts.map(({ amountUnits }) => amountUnits),
    posts.map(({ quantity }) => quantity),
    posts.map(({ totalUnits }) => totalUnits),
    posts.map(({ name }) => name),
    posts.map(({ source }) => source),
    posts.map(({ keyNo }) => keyNo),
    posts.map(({ createdAtMs }) => createdAtMs),
    posts.map(({ postedBy }) => postedBy),
  ];
}

/** Gives each name of a guild a place, counted from 1, at its first mention. */
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
