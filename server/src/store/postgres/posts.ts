import { DomainError } from '../../domain/errors.ts';
import { decimalText } from '../../domain/ledger/amount.ts';
import type { AppendOutcome, Change, NewTransaction } from '../../domain/model.ts';
import { createGroupCommit, type GroupCommit, type WriteOutcome } from '../group-commit.ts';
import { openAudit } from './audit.ts';
import { faultKind, toDomainError } from './faults.ts';
import { prepare, type Value } from './statement.ts';
import type { Writer } from './write.ts';

const BATCH_MAX = 1_000;
const QUEUE_MAX = 20_000;

type Refusal = 'idempotency_mismatch' | 'overdraft' | 'balance_out_of_range';

interface BatchRow {
  outcomes: ('posted' | 'replayed' | Refusal)[];
  ids: (string | null)[];
  balances: (number | null)[];
}

const APPEND = prepare<BatchRow>(
  `SELECT outcomes, outcome_ids AS ids, outcome_balances AS balances
   FROM append_posts($1, $2, $3, $4, $5, $6, $7, $8, $9, $10, $11, $12, $13, $14, $15)`,
);

/**
 * Posts of one guild go out together in one statement, those that arrive meanwhile in the next one. Guilds do not wait
 * for one another: each has a group commit of its own while it has posts, so a transaction never holds two guilds.
 */
export function createPosts(
  writer: Writer,
  onBatch: (size: number) => void,
): (transaction: NewTransaction) => Promise<AppendOutcome> {
  const groups = new Map<number, GroupCommit<NewTransaction, AppendOutcome>>();

  function groupOf(guildNo: number): GroupCommit<NewTransaction, AppendOutcome> {
    const known = groups.get(guildNo);
    if (known !== undefined) {
      return known;
    }
    const group = createGroupCommit<NewTransaction, AppendOutcome>({
      commit: (posts) => append(writer, guildNo, posts),
      batchMax: BATCH_MAX,
      queueMax: QUEUE_MAX,
      onBatch,
      onIdle: () => groups.delete(guildNo),
    });
    groups.set(guildNo, group);
    return group;
  }

  return (post) =>
    post.postedBy === undefined
      ? writer.admit(() => groupOf(post.guild.guildNo).submit(post))
      : correct(writer, post, post.postedBy);
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
    const outcome = toOutcome(await transaction.first(APPEND, toArguments(guildNo, [post])), 0);
    if ('error' in outcome) {
      throw outcome.error;
    }
    if (!outcome.value.replayed) {
      const amount = decimalText(post.amountUnits);
      const total = decimalText(post.totalUnits);
      audit.add({
        subjectId: transactionId,
        before: undefined,
        after: { playerId, name, quantity, amount, total },
      });
      await audit.write();
    }
    return outcome.value;
  });
}

async function append(
  writer: Writer,
  guildNo: number,
  posts: readonly NewTransaction[],
): Promise<WriteOutcome<AppendOutcome>[]> {
  try {
    const row = await writer.writeOnce(APPEND, toArguments(guildNo, posts));
    return posts.map((_, index) => toOutcome(row, index));
  } catch (error) {
    // A defect in one post must not fail its neighbours: each goes alone.
    if (faultKind(error) === 'defect' && posts.length > 1) {
      const outcomes: WriteOutcome<AppendOutcome>[] = [];
      for (const post of posts) {
        outcomes.push(...(await append(writer, guildNo, [post])));
      }
      return outcomes;
    }
    return posts.map(() => ({ error: toDomainError(error) }));
  }
}

function toOutcome(row: BatchRow | undefined, index: number): WriteOutcome<AppendOutcome> {
  const outcome = row?.outcomes[index];
  if (outcome !== 'posted' && outcome !== 'replayed') {
    return { error: new DomainError(outcome ?? 'internal') };
  }
  const transactionId = row?.ids[index];
  const balanceUnits = row?.balances[index];
  if (typeof transactionId !== 'string' || typeof balanceUnits !== 'number') {
    return { error: new DomainError('internal', { cause: new Error('a post has no outcome') }) };
  }
  return { value: { transactionId, balanceUnits, replayed: outcome === 'replayed' } };
}

/** Column by column, with players and keys named once and pointed to by place. */
function toArguments(guildNo: number, posts: readonly NewTransaction[]): Value[] {
  const players = createPlaces();
  const keys = createPlaces();
  const accountOf = posts.map(({ playerId }) => players.placeOf(playerId));
  const keyOf = posts.map(({ idempotency }) =>
    idempotency === undefined ? 0 : keys.placeOf(idempotency.key),
  );
  return [
    guildNo,
    players.names(),
    keys.names(),
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

/** Gives each name a place, counted from 1, at its first mention. */
function createPlaces() {
  const places = new Map<string, number>();
  return {
    placeOf(name: string): number {
      const place = places.get(name) ?? places.size + 1;
      places.set(name, place);
      return place;
    },
    names: () => [...places.keys()],
  };
}
