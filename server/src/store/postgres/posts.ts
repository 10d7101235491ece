import { DomainError } from '../../domain/errors.ts';
import { LIMIT_TEXTS } from '../../domain/ledger/key-limits.ts';
import type {
  AppendOutcome,
  GuildRef,
  Idempotency,
  NewTransaction,
  TransactionGroup,
} from '../../domain/model.ts';
import { difference } from '../audit/difference.ts';
import type { WriteOutcome } from '../batch-queue.ts';
import { auditedCorrection } from '../ledger/audited-correction.ts';
import { atPosition } from '../ledger/group-refusal.ts';
import type { AccountNumbers } from './account-numbers.ts';
import type { Database } from './connection.ts';
import { faultKind, isLockTimeout, toDomainError } from './faults.ts';
import { createPipelines, type Pipelines } from './pipelined.ts';
import { type Appending, type Batch, type BatchRow, createAppending } from './post-batch.ts';
import { createPostLanes, type LaneOutcome } from './post-lanes.ts';
import { prepare, type Runner } from './statement.ts';
import { repeatedly, type Writer } from './transactions.ts';

/** Statements that run in parallel, each on a connection of its own. More of them only make the batches smaller. */
const LANES_MAX = 2;
/** On a distributed store a statement holds posts of one guild, so more of them have to run in parallel. */
const LANES_MAX_DISTRIBUTED = 8;
const STATEMENTS_PER_LANE = 2;

export interface PostStore {
  append: (transaction: NewTransaction) => Promise<AppendOutcome>;
  appendGroup: (group: TransactionGroup) => Promise<AppendOutcome[]>;
  claimBatch: (guild: GuildRef, batch: Idempotency) => Promise<void>;
  /** Call it after `Writer.close`, which waits for all posts. */
  close(): Promise<void>;
}

interface PostStoreParts {
  database: Database;
  writer: Writer;
  numbers: AccountNumbers;
  onBatch: (size: number) => void;
  onCommit: (durationMs: number) => void;
}

/** The writer, and the statements it runs for posts. */
interface Place {
  writer: Writer;
  appending: Appending;
}

/**
 * Writes posts of all guilds together in one statement; posts that arrive meanwhile go into the next one. On a
 * distributed store a statement holds the posts of one guild.
 */
export function createPosts({ database, writer, numbers, onBatch, onCommit }: PostStoreParts): PostStore {
  const { isDistributed } = database;
  const place = { writer, appending: createAppending(database, numbers) };
  const lanes = Math.min(isDistributed ? LANES_MAX_DISTRIBUTED : LANES_MAX, database.connections);
  const pipelines = createPipelines(database, lanes);
  const submit = createPostLanes({
    lanes,
    // A pooler may run each statement in another session, which would lose their order.
    statementsPerLane: database.isPooled ? 1 : STATEMENTS_PER_LANE,
    isOneGuildEach: isDistributed,
    commit: (lane, posts) => appendOnLane({ pipelines, ...place }, lane, posts),
    commitApart: (posts) => appendApart(place, posts),
    onBatch,
    onCommit,
  });
  const append = async (post: NewTransaction) => {
    const [outcome] = await appendApart(place, [post]);
    return take(outcome);
  };
  return {
    append: (post) =>
      post.postedBy === undefined
        ? writer.admit(() => (writer.isHeld() ? append(post) : submit(post)))
        : correct(place, { posts: [post] }).then(([outcome]) => take(outcome && { value: outcome })),
    // The group is one statement and thus one transaction: no other post fails with it.
    async appendGroup({ guild, transactions, idempotency, batch }) {
      if (transactions.length === 0) {
        return [];
      }
      const posts = transactions.map((post, index) =>
        index === 0 && idempotency ? { ...post, idempotency } : post,
      );
      const group = { posts, isGroup: true, hasGroupKey: idempotency !== undefined };
      if (batch !== undefined) {
        return appendBatch(place, { guildNo: guild.guildNo, batch }, group);
      }
      return posts[0]?.postedBy === undefined
        ? writer.admit(async () => takeAll(await appendOnce(place, group), group))
        : correct(place, group);
    },
    claimBatch: ({ guildNo }, batch) =>
      writer.write(`batch ${guildNo}`, (transaction) => claim(transaction, { guildNo, batch })),
    close: pipelines.close,
  };
}

// The update changes nothing: it locks the row of an earlier request and returns its hash.
const CLAIM = prepare<{ requestHash: string }>(
  `INSERT INTO batch_request (guild_no, batch_key, request_hash) VALUES ($1, $2, $3)
   ON CONFLICT (guild_no, batch_key) DO UPDATE SET request_hash = batch_request.request_hash
   RETURNING request_hash AS "requestHash"`,
);

interface Claimed {
  guildNo: number;
  batch: Idempotency;
}

/** Waits until another request with the same key is committed or rolled back. Call it before locking the ledger. */
async function claim(transaction: Runner, { guildNo, batch: { key, requestHash } }: Claimed): Promise<void> {
  const claimed = await transaction.first(CLAIM, [guildNo, key, requestHash]);
  if (claimed?.requestHash !== requestHash) {
    throw new DomainError('idempotency_mismatch');
  }
}

/** Claims the key of a group and appends the group in one transaction: a refusal undoes both. */
function appendBatch({ writer, appending }: Place, claimed: Claimed, group: Batch): Promise<AppendOutcome[]> {
  return writer.write(`batch ${claimed.guildNo}`, async (transaction) => {
    await claim(transaction, claimed);
    const { statement, values } = await appending.append(group);
    return takeAll(await transaction.first(statement, values), group);
  });
}

/** Appends posts that a person makes by hand. The same statement writes the audit entries that name the person. */
async function correct({ writer, appending }: Place, batch: Batch): Promise<AppendOutcome[]> {
  const { posts } = batch;
  const [first] = posts;
  if (first?.postedBy === undefined) {
    throw new Error('a correction is made by a person');
  }
  const { guild, postedBy: chatId, createdAtMs: atMs } = first;
  const details = posts.map((post) => JSON.stringify(difference(undefined, auditedCorrection(post))));
  const row = await writer.appendInTurn(`guild ${guild.guildNo}`, () =>
    appending.correct(batch, { atMs, chatId, details }),
  );
  return takeAll(row, batch);
}

/**
 * Appends posts of several guilds in one statement. When it fails because of one guild (a defect, a lock timeout),
 * all posts are reported as busy, and the caller sends the posts of each guild separately.
 */
async function appendOnLane(
  { pipelines, appending }: { pipelines: Pipelines; appending: Appending },
  lane: number,
  posts: readonly NewTransaction[],
): Promise<LaneOutcome[]> {
  try {
    const { statement, values } = await appending.append({ posts, waits: false });
    const row = await repeatedly(() => pipelines.first(lane, statement, values));
    return posts.map((_, index) => (row?.outcomes[index] === 'busy' ? 'busy' : toOutcome(row, index)));
  } catch (error) {
    const isOfOneGuild = faultKind(error) === 'defect' || isLockTimeout(error);
    return posts.map(() => (isOfOneGuild ? 'busy' : { error: toDomainError(error) }));
  }
}

/** Appends a batch in a statement of its own, which is one transaction. */
async function appendOnce({ writer, appending }: Place, batch: Batch): Promise<BatchRow | undefined> {
  return writer.append(await appending.append(batch));
}

/** Appends posts of one guild in a statement that waits for the lock of its ledger. */
async function appendApart(
  place: Place,
  posts: readonly NewTransaction[],
): Promise<WriteOutcome<AppendOutcome>[]> {
  try {
    const row = await appendOnce(place, { posts });
    return posts.map((_, index) => toOutcome(row, index));
  } catch (error) {
    // A defect in one post must not fail the others: each is sent alone.
    if (faultKind(error) === 'defect' && posts.length > 1) {
      const outcomes: WriteOutcome<AppendOutcome>[] = [];
      for (const post of posts) {
        outcomes.push(...(await appendApart(place, [post])));
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

/** The outcomes of posts that were written together. Throws the error of the first refused post. */
function takeAll(row: BatchRow | undefined, { posts, isGroup, hasGroupKey }: Batch): AppendOutcome[] {
  const position =
    row?.outcomes.findIndex((outcome) => !WRITTEN.includes(outcome) && outcome !== 'skipped') ?? -1;
  if (position >= 0) {
    const outcome = toOutcome(row, position);
    const error = 'error' in outcome ? outcome.error : new DomainError('internal');
    // A mismatch of the group's key concerns the whole group, so the error names no position.
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
