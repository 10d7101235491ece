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
import type { ConnectionEvents, Database } from './connection.ts';
import { faultKind, isLockTimeout, toDomainError } from './faults.ts';
import { createNoting } from './noted-posts.ts';
import { createPipelines, type Pipelines } from './pipelined.ts';
import {
  type Appending,
  type BatchRow,
  createAppending,
  type PostGroup,
  type Refusal,
  type Written,
} from './post-batch.ts';
import { createPostLanes, type LaneOutcome, type SubmitGroup } from './post-lanes.ts';
import type { SealingThread } from './sealing-thread.ts';
import { prepare, type Runner } from './statement.ts';
import { repeatedly, type Writer } from './transactions.ts';

/** Statements that run in parallel, each on a connection of its own. More of them only make the batches smaller. */
const LANES_MAX = 2;
/** On each node of a distributed store. A statement holds posts of one guild there, so more of them have to run in parallel. */
const LANES_MAX_DISTRIBUTED = 4;
const STATEMENTS_PER_LANE = 2;

/** Opens the connections for posting to one server. */
export function openPostLines(database: Database): Pipelines {
  const max = database.isDistributed ? LANES_MAX_DISTRIBUTED : LANES_MAX;
  return createPipelines(database, Math.min(max, database.connections));
}

export interface PostStore {
  append: (transaction: NewTransaction) => Promise<AppendOutcome>;
  appendGroup: (group: TransactionGroup) => Promise<AppendOutcome[]>;
  claimBatch: (guild: GuildRef, batch: Idempotency) => Promise<void>;
}

interface PostStoreParts {
  database: Database;
  /** The connections for posts of a guild. Throws when their server is down. */
  linesOf: (guildNo: number) => Pipelines;
  writer: Writer;
  numbers: AccountNumbers;
  /** The thread that seals the posts; undefined on a distributed store. */
  sealing: SealingThread | undefined;
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
export function createPosts(parts: PostStoreParts): PostStore {
  const { database, linesOf, writer, numbers, sealing, onBatch, onCommit } = parts;
  const place = { writer, appending: createAppending(database, numbers) };
  const lanes = new WeakMap<Pipelines, SubmitGroup<Written>>();

  const noteCommitted = createNoting(sealing);

  /** Posts of a held transaction are not committed yet. */
  function noteLeaves(...noted: Parameters<typeof noteCommitted>): void {
    if (!writer.isHeld()) {
      noteCommitted(...noted);
    }
  }

  function reportBusy(outcomes: readonly LaneOutcome<Written>[]): readonly LaneOutcome<Written>[] {
    for (const _ of outcomes.filter((outcome) => outcome === 'busy')) {
      database.events.onRepeat?.('busy');
    }
    return outcomes;
  }

  /** The lanes of a server, with the groups that wait for it. */
  function lanesOf(pipelines: Pipelines): SubmitGroup<Written> {
    const known = lanes.get(pipelines);
    const submit =
      known ??
      createPostLanes<Written>({
        lanes: pipelines.lines,
        // A pooler may run each statement in another session, which would lose their order.
        statementsPerLane: database.isPooled ? 1 : STATEMENTS_PER_LANE,
        isOneGuildEach: database.isDistributed,
        commit: async (lane, groups) => {
          const outcomes = await appendOnLane({ pipelines, events: database.events, ...place }, lane, groups);
          noteLeaves(groups, outcomes);
          return reportBusy(outcomes);
        },
        async commitApart(groups) {
          const outcomes = await appendApart(place, groups);
          noteLeaves(groups, outcomes);
          return outcomes;
        },
        onBatch,
        onCommit,
      });
    lanes.set(pipelines, submit);
    return submit;
  }
  const submit = async (group: PostGroup) => lanesOf(linesOf(group.guild.guildNo))(group);

  async function submitHeld(group: PostGroup): Promise<Written> {
    const [outcome] = await appendApart(place, [group]);
    return take(outcome);
  }
  // Posts of a person go with their audit entries, in a statement of their own.
  const write = (group: PostGroup) =>
    group.posts[0]?.postedBy === undefined
      ? writer.admit(() => (writer.isHeld() ? submitHeld(group) : submit(group)))
      : correct(place, group);

  return {
    async append(post) {
      const group = {
        guild: post.guild,
        posts: [post],
        isAtomic: false,
        isKeyed: false,
        batch: undefined,
      };
      return take(outcomeOf(await write(group), 0));
    },
    async appendGroup({ guild, transactions, idempotency, batch }) {
      if (transactions.length === 0) {
        return [];
      }
      const posts = transactions.map((post, index) =>
        index === 0 && idempotency ? { ...post, idempotency } : post,
      );
      const group = { guild, posts, isAtomic: true, isKeyed: idempotency !== undefined, batch };
      return takeAll(await write(group), group);
    },
    claimBatch: ({ guildNo }, batch) =>
      writer.write(`batch ${guildNo}`, (transaction) => claim(transaction, guildNo, batch)),
  };
}

// The update changes nothing: it locks the row of an earlier request and returns its hash.
const CLAIM = prepare<{ requestHash: string }>(
  `INSERT INTO batch_request (guild_no, batch_key, request_hash) VALUES ($1, $2, $3)
   ON CONFLICT (guild_no, batch_key) DO UPDATE SET request_hash = batch_request.request_hash
   RETURNING request_hash AS "requestHash"`,
);

/** Waits until another request with the same key is committed or rolled back. */
async function claim(transaction: Runner, guildNo: number, { key, requestHash }: Idempotency): Promise<void> {
  const claimed = await transaction.first(CLAIM, [guildNo, key, requestHash]);
  if (claimed?.requestHash !== requestHash) {
    throw new DomainError('idempotency_mismatch');
  }
}

/** Appends posts that a person makes by hand. The same statement writes the audit entries that name the person. */
async function correct({ writer, appending }: Place, group: PostGroup): Promise<Written> {
  const { guild, posts } = group;
  const [first] = posts;
  if (first?.postedBy === undefined) {
    throw new Error('a correction is made by a person');
  }
  const { postedBy: chatId, createdAtMs: atMs } = first;
  const details = posts.map((post) => JSON.stringify(difference(undefined, auditedCorrection(post))));
  const row = await writer.appendInTurn(`guild ${guild.guildNo}`, () =>
    appending.correct({ groups: [group] }, { atMs, chatId, details }),
  );
  return { row, first: 0 };
}

/**
 * Appends groups of several guilds in one statement. When it fails because of one guild (a defect, a lock timeout),
 * all groups are reported as busy, and the caller sends the groups of each guild separately.
 */
async function appendOnLane(
  { pipelines, appending, events }: { pipelines: Pipelines; appending: Appending; events: ConnectionEvents },
  lane: number,
  groups: readonly PostGroup[],
): Promise<LaneOutcome<Written>[]> {
  try {
    const { statement, values } = await appending.append({ groups, waits: false });
    const row = await repeatedly(
      () => pipelines.first(lane, statement, values),
      () => events.onRepeat?.('conflict'),
    );
    return divide(row, groups).map((written) =>
      row?.outcomes[written.first] === 'busy' ? 'busy' : { value: written },
    );
  } catch (error) {
    const isOfOneGuild = faultKind(error) === 'defect' || isLockTimeout(error);
    return groups.map(() => (isOfOneGuild ? 'busy' : { error: toDomainError(error) }));
  }
}

/** Appends groups of one guild in a statement that waits for the lock of its ledger. */
async function appendApart(place: Place, groups: readonly PostGroup[]): Promise<WriteOutcome<Written>[]> {
  try {
    const row = await place.writer.append(await place.appending.append({ groups }));
    return divide(row, groups).map((value) => ({ value }));
  } catch (error) {
    // A defect in one group must not fail the others: each is sent alone.
    if (faultKind(error) === 'defect' && groups.length > 1) {
      const outcomes: WriteOutcome<Written>[] = [];
      for (const group of groups) {
        outcomes.push(...(await appendApart(place, [group])));
      }
      return outcomes;
    }
    return groups.map(() => ({ error: toDomainError(error) }));
  }
}

function divide(row: BatchRow | undefined, groups: readonly PostGroup[]): Written[] {
  let next = 0;
  return groups.map(({ posts }) => {
    const first = next;
    next += posts.length;
    return { row, first };
  });
}

function take<Result>(outcome: WriteOutcome<Result> | undefined): Result {
  if (outcome === undefined || 'error' in outcome) {
    throw outcome?.error ?? new DomainError('internal', { cause: new Error('a post has no outcome') });
  }
  return outcome.value;
}

/** The outcomes of a group that is written as a whole. Throws the error of the refused post. */
function takeAll(written: Written, { posts, isKeyed }: PostGroup): AppendOutcome[] {
  const outcomes = posts.map((_, index) => outcomeOf(written, index));
  const position = posts.findIndex((_, index) => isRefusal(written.row?.outcomes[written.first + index]));
  const refused = outcomes[position];
  if (refused !== undefined && 'error' in refused) {
    // A mismatch of the group's key concerns the whole group, so the error names no position.
    const isOfGroup =
      written.row?.outcomes[written.first + position] === 'batch_mismatch' ||
      (isKeyed && refused.error.code === 'idempotency_mismatch');
    throw isOfGroup ? refused.error : atPosition(refused.error, position);
  }
  return outcomes.map(take);
}

function isRefusal(outcome: BatchRow['outcomes'][number] | undefined): boolean {
  return outcome !== 'posted' && outcome !== 'replayed' && outcome !== 'skipped';
}

/** The outcome of a post of a group. */
function outcomeOf({ row, first }: Written, index: number): WriteOutcome<AppendOutcome> {
  const outcome = row?.outcomes[first + index];
  const transactionId = row?.ids[first + index];
  if (outcome === undefined || outcome === 'busy' || outcome === 'skipped') {
    return { error: new DomainError('internal') };
  }
  if (outcome !== 'posted' && outcome !== 'replayed') {
    return { error: refusalOf(outcome, transactionId) };
  }
  const balanceUnits = row?.balances[first + index];
  if (typeof transactionId !== 'string' || typeof balanceUnits !== 'number') {
    return { error: new DomainError('internal', { cause: new Error('a post has no outcome') }) };
  }
  return { value: { transactionId, balanceUnits, replayed: outcome === 'replayed' } };
}

function refusalOf(outcome: Refusal, transactionId: string | null | undefined): DomainError {
  if (outcome === 'amount_limit' || outcome === 'withdrawal_limit') {
    return new DomainError('key_limit_exceeded', { detail: LIMIT_TEXTS[outcome] });
  }
  if (outcome === 'batch_mismatch') {
    return new DomainError('idempotency_mismatch');
  }
  const facts = typeof transactionId === 'string' ? { facts: { transactionId } } : {};
  return new DomainError(outcome, facts);
}
