import type { ActingPerson } from '../access/actors.ts';
import type { Guilds } from '../access/guilds.ts';
import { DomainError } from '../errors.ts';
import type { AppendOutcome, Guild } from '../model.ts';
import type { Clock, IdSource, LedgerStore } from '../ports.ts';
import { unitsFromNumber } from './amount.ts';
import { assertCovered, type FundsParts, type Withdrawal } from './covered.ts';
import { namingFunds } from './funds.ts';
import {
  CORRECTION_SOURCE,
  createMakeTransaction,
  hashOf,
  type PostedFor,
  type TransactionInput,
  toExtra,
} from './ledger.ts';
import type { Pay, PaymentOutcome } from './payments.ts';

/** The largest number of transactions that a person posts at once. */
export const POSTS_MAX = 1_000;

export interface PostInput extends Omit<TransactionInput, 'source'> {
  reference?: string | undefined;
}

export interface PostsInput {
  transactions: readonly PostInput[];
  /** The person has confirmed that balances may fall below zero. */
  isOverdraftWanted?: boolean | undefined;
}

export interface PaymentOrder {
  fromPlayerId: string;
  toPlayerId: string;
  amount: number;
  name: string;
  /** The dashboard, if not given. */
  source?: string | undefined;
  isOverdraftWanted?: boolean | undefined;
}

export interface PostsOutcome {
  /** In the order of the transactions. */
  outcomes: AppendOutcome[];
  replayed: boolean;
}

/** Transactions that people post in the dashboard, by the rules of the interface. The caller checks their role. */
export interface GuildPosts {
  /** Posts all transactions in one commit, or none: then the error has the position of the refused one. */
  post(
    person: ActingPerson,
    guildId: string,
    input: PostsInput,
    idempotencyKey?: string,
  ): Promise<PostsOutcome>;
  /** Moves an amount from one player to another. */
  pay(
    person: ActingPerson,
    guildId: string,
    order: PaymentOrder,
    idempotencyKey?: string,
  ): Promise<PaymentOutcome>;
}

export interface GuildPostsParts extends FundsParts {
  store: LedgerStore;
  guilds: Guilds;
  pay: Pay;
  clock: Clock;
  ids: IdSource;
}

export function createGuildPosts(parts: GuildPostsParts): GuildPosts {
  const { store, guilds } = parts;
  const make = createMakeTransaction(parts);
  return {
    async post(person, guildId, { transactions, isOverdraftWanted }, idempotencyKey) {
      const guild = await guilds.find(guildId);
      const by = postedByPerson(person, guild);
      const made = transactions.map((input, position) =>
        atItem(position, () => make(by, { ...input, source: CORRECTION_SOURCE, extra: toExtra(input) })),
      );
      await assertCovered(parts, guild, made, { isOverdraftWanted, idempotencyKey });
      const outcomes = await namingFunds(
        store.appendGroup({
          guild: by.guild,
          transactions: made,
          idempotency: idempotencyKey === undefined ? undefined : keyOf(idempotencyKey, transactions),
        }),
      );
      return { outcomes, replayed: outcomes.some(({ replayed }) => replayed) };
    },
    async pay(person, guildId, { isOverdraftWanted, ...payment }, idempotencyKey) {
      const guild = await guilds.find(guildId);
      const taken: Withdrawal = {
        playerId: payment.fromPlayerId,
        totalUnits: -unitsFromNumber('amount', payment.amount),
      };
      await assertCovered(parts, guild, [taken], { isOverdraftWanted, idempotencyKey });
      const input = { ...payment, source: payment.source ?? CORRECTION_SOURCE };
      return parts.pay(postedByPerson(person, guild), input, idempotencyKey);
    },
  };
}

function postedByPerson({ user }: ActingPerson, { guildNo, guildId }: Guild): PostedFor {
  return { guild: { guildNo, guildId }, keyNo: undefined, postedBy: user.chatId };
}

/** The error of one transaction, with its position. */
function atItem<Result>(position: number, work: () => Result): Result {
  try {
    return work();
  } catch (error) {
    if (!(error instanceof DomainError)) {
      throw error;
    }
    const { code, detail } = error;
    throw new DomainError(code, {
      ...(detail !== undefined && { detail }),
      facts: { position },
      cause: error,
    });
  }
}

function keyOf(key: string, transactions: readonly PostInput[]) {
  const meanings = transactions.map((input) => {
    const { playerId, name, quantity, amount, deposit = false, withdrawal = false, reference } = input;
    return [playerId, name, quantity, amount, deposit, withdrawal, reference ?? null];
  });
  return { key, requestHash: hashOf(['posts', meanings]) };
}
