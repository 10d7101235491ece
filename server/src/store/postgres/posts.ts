import { DomainError } from '../../domain/errors.ts';
import { LIMIT_TEXTS } from '../../domain/ledger/key-limits.ts';
import type { AppendOutcome, Change, NewTransaction, TransactionGroup } from '../../domain/model.ts';
import { auditedCorrection } from '../audited-correction.ts';
import type { WriteOutcome } from '../group-commit.ts';
import { atPosition } from '../group-refusal.ts';
import { writeMetadata } from '../metadata-text.ts';
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

type Refusal =
  | 'idempotency_mismatch'
  | 'already_reversed'
  | 'overdraft'
  | 'balance_out_of_range'
  | keyof typeof LIMIT_TEXTS;

interface BatchRow {
  outcomes: ('posted' | 'replayed' | 'busy' | 'skipped' | Refusal)[];
  ids: (string | null)[];
  balances: (number | null)[];
}

const APPEND = prepare<BatchRow>(
  `SELECT outcomes, outcome_ids AS ids, outcome_balances AS balances
   FROM append_transactions($1, $2, $3, $4, $5, $6, $7, $8, $9, $10, $11, $12, $13, $14, $15, $16, $17, $18, $19, $20,
     $21, $22, $23, $24, $25, $26, $27, $28, $29)`,
);

export interface PostStore {
  append: (transaction: NewTransaction) => Promise<AppendOutcome>;
  appendGroup: (group: TransactionGroup) => Promise<AppendOutcome[]>;
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
        : correct(writer, { posts: [post] }).then(([outcome]) => take(outcome && { value: outcome })),
    // A statement of its own, hence a transaction: the group shares its fate with nobody.
    appendGroup({ transactions, idempotency }) {
      const posts = transactions.map((post, index) =>
        index === 0 && idempotency ? { ...post, idempotency } : post,
      );
      const group = { posts, isGroup: true, hasGroupKey: idempotency !== undefined };
      return posts[0]?.postedBy === undefined
        ? writer.admit(async () => takeAll(await writer.writeOnce(APPEND, toArguments(group)), group))
        : correct(writer, group);
    },
    close: pipelines.close,
  };
}

/**
 * What a person posts by hand is a change like any other: the log says who did it. It takes the log's lock first, as
 * every audited write does, and therefore a transaction of its own.
 */
function correct(writer: Writer, batch: Batch): Promise<AppendOutcome[]> {
  const { posts } = batch;
  const [first] = posts;
  if (first?.postedBy === undefined) {
    throw new Error('a correction is made by a person');
  }
  const { guildNo } = first.guild;
  const change: Change = { actor: { kind: 'user', id: first.postedBy }, atMs: first.createdAtMs };
  return writer.write(`guild ${guildNo}`, async (transaction) => {
    const audit = await openAudit(transaction, { guildNo, change, subjectKind: 'transaction' });
    const outcomes = takeAll(await transaction.first(APPEND, toArguments(batch)), batch);
    for (const [index, post] of posts.entries()) {
      if (outcomes[index]?.replayed === false) {
        audit.add({ subjectId: post.transactionId, before: undefined, after: auditedCorrection(post) });
      }
    }
    await audit.write();
    return outcomes;
  });
}

/** What one guild's posts may not do to those of others is settled by sending each guild's apart. */
async function appendOnLane(
  pipelines: Pipelines,
  lane: number,
  posts: readonly NewTransaction[],
): Promise<LaneOutcome[]> {
  const values = toArguments({ posts, waits: false });
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
    const row = await writer.writeOnce(APPEND, toArguments({ posts }));
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

/** The outcomes of posts that were written together, or the refusal of the one that was refused. */
function takeAll(row: BatchRow | undefined, { posts, isGroup, hasGroupKey }: Batch): AppendOutcome[] {
  const position =
    row?.outcomes.findIndex((outcome) => !WRITTEN.includes(outcome) && outcome !== 'skipped') ?? -1;
  if (position >= 0) {
    const outcome = toOutcome(row, position);
    const error = 'error' in outcome ? outcome.error : new DomainError('internal');
    // A key of the whole group is not that of one of its transactions.
    const isOfGroup = hasGroupKey === true && error.code === 'idempotency_mismatch';
    throw isGroup === true && !isOfGroup ? atPosition(error, position) : error;
  }
  return posts.map((_, index) => take(toOutcome(row, index)));
}

const WRITTEN: readonly string[] = ['posted', 'replayed'];

function toOutcome(row: BatchRow | undefined, index: number): WriteOutcome<AppendOutcome> {
  const outcome = row?.outcomes[index];
  const transactionId = row?.ids[index];
  if (outcome === undefined || outcome === 'busy' || outcome === 'skipped') {
    return { error: new DomainError('internal') };
  }
  if (outcome !== 'posted' && outcome !== 'replayed') {
    if (outcome === 'amount_limit' || outcome === 'withdrawal_limit') {
      return { error: new DomainError('key_limit_exceeded', { detail: LIMIT_TEXTS[outcome] }) };
    }
    const facts = typeof transactionId === 'string' ? { facts: { transactionId } } : {};
    return { error: new DomainError(outcome, facts) };
  }
  const balanceUnits = row?.balances[index];
  if (typeof transactionId !== 'string' || typeof balanceUnits !== 'number') {
    return { error: new DomainError('internal', { cause: new Error('a post has no outcome') }) };
  }
  return { value: { transactionId, balanceUnits, replayed: outcome === 'replayed' } };
}

/** What goes out in one statement. */
interface Batch {
  posts: readonly NewTransaction[];
  /** Whether to wait for the ledgers of the guilds, which is so unless told otherwise. */
  waits?: boolean;
  /** All of the posts or none. */
  isGroup?: boolean;
  /** The first one's idempotency key is that of all. */
  hasGroupKey?: boolean;
}

/** Column by column, with guilds, players and keys named once and pointed to by place. Guilds ascend. */
function toArguments({ posts, waits = true, isGroup = false, hasGroupKey = false }: Batch): Value[] {
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
    extra === undefined ? [] : [{ ...extra, post: index + 1 }],
  );
  return [
    waits,
    isGroup,
    hasGroupKey,
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
    posts.flatMap(({ isForced }, index) => (isForced === true ? [index + 1] : [])),
    extras.map(({ post }) => post),
    extras.map(({ reference }) => reference),
    extras.map(({ metadata }) => writeMetadata(metadata)),
    extras.map(({ paymentId }) => paymentId),
    extras.map(({ reverses }) => reverses?.number),
    limited.guilds,
    limited.names.map(Number),
    limited.of,
  ];
}

/** The limited keys among those that post, and which post is of which; nothing at all when there are none. */
function limitedKeys(posts: readonly NewTransaction[], guildPlaces: ReadonlyMap<number, number>) {
  const keys = createPlaces();
  const of = posts.map(({ guild, keyNo, isKeyLimited }) =>
    isKeyLimited === true && keyNo !== undefined
      ? keys.placeOf(guildPlaces.get(guild.guildNo) ?? 0, String(keyNo))
      : 0,
  );
  return { guilds: keys.guilds, names: keys.names, of: keys.names.length === 0 ? [] : of };
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
