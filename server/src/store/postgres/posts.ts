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
import type { Target } from './connection.ts';
import { faultKind, isLockTimeout, toDomainError } from './faults.ts';
import { createPipelines, type Pipelines } from './pipelined.ts';
import { type Appending, type Batch, type BatchRow, createAppending } from './post-batch.ts';
import { createPostLanes, type LaneOutcome } from './post-lanes.ts';
import { prepare, type Runner } from './statement.ts';
import { repeatedly, type Writer } from './transactions.ts';

/** Statements that run side by side, each on a connection of its own; more only make the batches smaller. */
const LANES_MAX = 2;
/** Where a statement holds posts of one guild only, more of them have to run side by side. */
const LANES_MAX_DISTRIBUTED = 8;
const STATEMENTS_PER_LANE = 2;

export interface PostStore {
  append: (transaction: NewTransaction) => Promise<AppendOutcome>;
  appendGroup: (group: TransactionGroup) => Promise<AppendOutcome[]>;
  claimBatch: (guild: GuildRef, batch: Idempotency) => Promise<void>;
  /** Belongs behind the writer's end, which waits for all posts. */
  close(): Promise<void>;
}

interface PostStoreParts {
  target: Target;
  writer: Writer;
  numbers: AccountNumbers;
  onBatch: (size: number) => void;
  onCommit: (durationMs: number) => void;
}

/** Where posts are written, and how. */
interface Place {
  writer: Writer;
  appending: Appending;
}

/**
 * Posts of all guilds go out together in one statement, those that arrive meanwhile in the next one. Where tables are
 * distributed, a statement is one guild's.
 */
export function createPosts({ target, writer, numbers, onBatch, onCommit }: PostStoreParts): PostStore {
  const { isDistributed } = target;
  const place = { writer, appending: createAppending(target, numbers) };
  const lanes = Math.min(isDistributed ? LANES_MAX_DISTRIBUTED : LANES_MAX, target.connections);
  const pipelines = createPipelines(target, lanes);
  const submit = createPostLanes({
    lanes,
    // A pooler may hand each statement to another session.
    statementsPerLane: target.isPooled ? 1 : STATEMENTS_PER_LANE,
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
    // A statement of its own, hence a transaction: the group shares its fate with nobody.
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

/** Waits for another request with the same key until that is committed or undone. Taken before the lock of the ledger. */
async function claim(transaction: Runner, { guildNo, batch: { key, requestHash } }: Claimed): Promise<void> {
  const claimed = await transaction.first(CLAIM, [guildNo, key, requestHash]);
  if (claimed?.requestHash !== requestHash) {
    throw new DomainError('idempotency_mismatch');
  }
}

/** A group with the claim of its key in one transaction: a refusal undoes both. */
function appendBatch({ writer, appending }: Place, claimed: Claimed, group: Batch): Promise<AppendOutcome[]> {
  return writer.write(`batch ${claimed.guildNo}`, async (transaction) => {
    await claim(transaction, claimed);
    const { statement, values } = await appending.append(group);
    return takeAll(await transaction.first(statement, values), group);
  });
}

/** What a person posts by hand is a change like any other: the log says who did it, in the same statement. */
async function correct({ writer, appending }: Place, batch: Batch): Promise<AppendOutcome[]> {
  const { posts } = batch;
  const [first] = posts;
  if (first?.postedBy === undefined) {
    throw new Error('a correction is made by a person');
  }
  const { guild, postedBy: chatId, createdAtMs: atMs } = first;
  const details = posts.map((post) => JSON.stringify(difference(undefined, auditedCorrection(post))));
  const row = await writer.writeInTurn(`guild ${guild.guildNo}`, () =>
    appending.correct(batch, { atMs, chatId, details }),
  );
  return takeAll(row, batch);
}

/** What one guild's posts may not do to those of others is settled by sending each guild's apart. */
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

/** In a statement of its own, hence a transaction. */
async function appendOnce({ writer, appending }: Place, batch: Batch): Promise<BatchRow | undefined> {
  const { statement, values } = await appending.append(batch);
  return writer.writeOnce(statement, values);
}

/** Posts of one guild in a statement that waits for its ledger. */
async function appendApart(
  place: Place,
  posts: readonly NewTransaction[],
): Promise<WriteOutcome<AppendOutcome>[]> {
  try {
    const row = await appendOnce(place, { posts });
    return posts.map((_, index) => toOutcome(row, index));
  } catch (error) {
    // A defect in one post must not fail its neighbours: each goes alone.
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
