import type { AppendOutcome, NewTransaction } from '../../domain/model.ts';

// A post as it crosses to another thread and back. A list of values costs a quarter of an object, whose field
// names would be written and read again with each post.

type Rare = Pick<NewTransaction, 'postedBy' | 'extra' | 'isForced'>;

export type PackedPost = readonly [
  guildNo: number,
  guildId: string,
  playerId: string,
  transactionId: string,
  name: string,
  quantity: number,
  amountUnits: number,
  totalUnits: number,
  source: string,
  createdAtMs: number,
  keyNo: number | undefined,
  keyId: string | undefined,
  isKeyLimited: boolean | undefined,
  idempotencyKey: string | undefined,
  requestHash: string | undefined,
  /** Fields that few posts have. */
  rare: Rare | undefined,
];

export function packPost(post: NewTransaction): PackedPost {
  const { postedBy, extra, isForced } = post;
  const isPlain = postedBy === undefined && extra === undefined && isForced === undefined;
  return [
    post.guild.guildNo,
    post.guild.guildId,
    post.playerId,
    post.transactionId,
    post.name,
    post.quantity,
    post.amountUnits,
    post.totalUnits,
    post.source,
    post.createdAtMs,
    post.keyNo,
    post.keyId,
    post.isKeyLimited,
    post.idempotency?.key,
    post.idempotency?.requestHash,
    isPlain ? undefined : { postedBy, extra, isForced },
  ];
}

export function unpackPost(packed: PackedPost): NewTransaction {
  const [guildNo, guildId, playerId, transactionId, name, quantity, amountUnits, totalUnits, ...more] =
    packed;
  const [source, createdAtMs, keyNo, keyId, isKeyLimited, key, requestHash, rare] = more;
  return {
    guild: { guildNo, guildId },
    playerId,
    transactionId,
    name,
    quantity,
    amountUnits,
    totalUnits,
    source,
    createdAtMs,
    keyNo,
    keyId,
    isKeyLimited,
    idempotency: key === undefined || requestHash === undefined ? undefined : { key, requestHash },
    postedBy: rare?.postedBy,
    extra: rare?.extra,
    isForced: rare?.isForced,
  };
}

/** For a new post only the balance, because the sender knows the rest. For a replay the whole outcome. */
export type PackedOutcome = number | AppendOutcome;

export function packOutcome(outcome: AppendOutcome): PackedOutcome {
  return outcome.replayed ? outcome : outcome.balanceUnits;
}

export function unpackOutcome(
  packed: PackedOutcome | undefined,
  { transactionId }: Pick<NewTransaction, 'transactionId'>,
): AppendOutcome {
  if (packed === undefined) {
    throw new Error('the store reported on fewer posts than it was given');
  }
  return typeof packed === 'number' ? { transactionId, balanceUnits: packed, replayed: false } : packed;
}
