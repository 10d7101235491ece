import { t } from '@lingui/core/macro';
import type { NewPost, Recipient } from '../api/posts.ts';
import { moneyText, parseMoney } from '../components/money.ts';
import { plainAmount } from '../components/typed-amount.ts';
import { type BalanceChange, changeBalance } from './balance-change.ts';
import { amountFault } from './post-fields.ts';
import { amountOf, purposeFault } from './post-form.ts';

/** The largest number of people in one payout. */
export const peopleMax = 1_000;

export interface PayoutValues {
  direction: 'deposit' | 'withdrawal';
  playerIds: string[];
  name: string;
  amount: string;
}

export const emptyPayout: PayoutValues = { direction: 'deposit', playerIds: [], name: '', amount: '' };
export const payoutFormId = 'posts/payout';

/** In the order of the form: the first field with an error gets the focus. */
export const payoutFields = ['playerIds', 'name', 'amount'] as const;

export function payoutFaults({ playerIds, name, amount }: PayoutValues) {
  return {
    ...(playerIds.length === 0 && { playerIds: t`Add at least one person` }),
    ...(playerIds.length > peopleMax && {
      playerIds: t`At most ${peopleMax} people at once; these are ${playerIds.length}`,
    }),
    ...(purposeFault(name) !== null && { name: purposeFault(name) }),
    ...(amountFault(amount) !== null && { amount: amountFault(amount) }),
  };
}

/** The names and ids of a pasted list without repeats: one on each line, or separated by commas on one line. */
export function splitNames(text: string): string[] {
  const isOneLine = !/[\r\n]/.test(text.trim());
  const parts = text.split(isOneLine ? /[,;\t]/ : /[\r\n\t]+/).map((part) => part.trim());
  return [...new Set(parts.filter((part) => part !== ''))];
}

/** A text of a list that names nobody, or several people. */
export interface UnclearText {
  text: string;
  candidates: Recipient[];
}

/** Divides the texts of a list into the people they name and those that need a decision. */
export function sortFound(
  texts: readonly string[],
  found: readonly (readonly Recipient[])[],
): { playerIds: string[]; unclear: UnclearText[] } {
  const all = texts.map((text, index) => ({ text, candidates: [...(found[index] ?? [])] }));
  const clear = all.flatMap(({ candidates: [one, another] }) => (one && !another ? [one.playerId] : []));
  return { playerIds: clear, unclear: all.filter(({ candidates }) => candidates.length !== 1) };
}

/** The list with further people at its end, nobody twice. */
export function withPeople(playerIds: readonly string[], added: readonly string[]): string[] {
  return [...new Set([...playerIds, ...added])];
}

export interface PayoutRow {
  playerId: string;
  /** Undefined while it is loading. */
  person: Recipient | undefined;
  /** Undefined while the amount is incomplete. */
  balance: BalanceChange | undefined;
}

/** The signed change of each account; undefined while the amount has a fault. */
export function changeOf({ direction, amount }: PayoutValues): string | undefined {
  if (amountFault(amount) !== null) return undefined;
  const size = parseMoney(plainAmount(amount).trim()) ?? 0n;
  return moneyText(direction === 'deposit' ? size : -size);
}

export function payoutRows(values: PayoutValues, known: ReadonlyMap<string, Recipient>): PayoutRow[] {
  const change = changeOf(values);
  return values.playerIds.map((playerId) => {
    const person = known.get(playerId);
    return { playerId, person, balance: person && change ? changeBalance(person, change) : undefined };
  });
}

/** The sum of the whole payout with its sign; undefined while the amount has a fault. */
export function totalOf(values: PayoutValues): string | undefined {
  const change = changeOf(values);
  return change && moneyText((parseMoney(change) ?? 0n) * BigInt(values.playerIds.length));
}

export function toPosts({ direction, playerIds, name, amount }: PayoutValues): NewPost[] {
  const size = amountOf(amount);
  return playerIds.map((playerId) => ({
    playerId,
    name: name.trim(),
    quantity: 1,
    ...(direction === 'deposit' ? { amount: size, deposit: true } : { amount: -size, withdrawal: true }),
  }));
}
