import { t } from '@lingui/core/macro';
import type { NewPayment, NewPost } from '../api/posts.ts';
import { moneyText, parseMoney } from '../components/money.ts';
import { type NumberSigns, plainAmount } from '../components/typed-amount.ts';
import { amountFault, quantityFault } from './post-fields.ts';

export const postKinds = ['deposit', 'withdrawal', 'payment'] as const;
export type PostKind = (typeof postKinds)[number];

export interface PostValues {
  kind: PostKind;
  /** The account of a deposit or withdrawal; the payer of a payment. */
  playerId: string;
  /** Of payments only. */
  toPlayerId: string;
  name: string;
  /** Not of payments. */
  quantity: string;
  amount: string;
}

/** In the order of the form: the first field with an error gets the focus. */
export const postFields = ['playerId', 'toPlayerId', 'name', 'quantity', 'amount'] as const;
export type PostField = (typeof postFields)[number];

const nameLengthMax = 256;

export function startPost(playerId = ''): PostValues {
  return { kind: 'deposit', playerId, toPlayerId: '', name: '', quantity: '1', amount: '' };
}

/** The form id, for its draft: that of the ledger's page has no person. */
export function postFormId(playerId = ''): string {
  return playerId === '' ? 'posts/new' : `posts/new/${playerId}`;
}

export function purposeFault(name: string): string | null {
  const { length } = [...name.trim()];
  if (length === 0) return t`Say what it is for`;
  return length > nameLengthMax ? t`At most ${nameLengthMax} characters; these are ${length}` : null;
}

export function postFaults(values: PostValues): Partial<Record<PostField, string>> {
  const isPayment = values.kind === 'payment';
  const faults: Record<PostField, string | null> = {
    playerId: values.playerId === '' ? t`Choose a person from the list` : null,
    toPlayerId: isPayment ? payeeFault(values) : null,
    name: purposeFault(values.name),
    quantity: isPayment ? null : quantityFault(values.quantity),
    amount: amountFault(values.amount),
  };
  return Object.fromEntries(Object.entries(faults).filter(([, fault]) => fault !== null));
}

function payeeFault({ playerId, toPlayerId }: PostValues): string | null {
  if (toPlayerId === '') return t`Choose a person from the list`;
  return toPlayerId === playerId ? t`Choose another person than the one who pays` : null;
}

/** The amount without a sign, as the service takes it. Only for an amount without a fault. */
export function amountOf(text: string, signs?: NumberSigns): number {
  return Number(plainAmount(text, signs).trim());
}

/** The signed change of each account; undefined while amount or quantity have a fault. */
export function effectsOf(values: PostValues): { playerId: string; change: string }[] | undefined {
  const { kind, playerId, toPlayerId, amount } = values;
  const quantity = kind === 'payment' ? '1' : values.quantity;
  if (amountFault(amount) !== null || quantityFault(quantity) !== null) return undefined;
  const size = (parseMoney(plainAmount(amount).trim()) ?? 0n) * BigInt(quantity.trim());
  if (kind === 'deposit') return [{ playerId, change: moneyText(size) }];
  const taken = { playerId, change: moneyText(-size) };
  return kind === 'withdrawal' ? [taken] : [taken, { playerId: toPlayerId, change: moneyText(size) }];
}

export function toNewPost({ kind, playerId, name, quantity, amount }: PostValues): NewPost {
  const shared = { playerId, name: name.trim(), quantity: Number(quantity.trim()) };
  return kind === 'withdrawal'
    ? { ...shared, amount: -amountOf(amount), withdrawal: true }
    : { ...shared, amount: amountOf(amount), deposit: true };
}

export function toNewPayment({ playerId, toPlayerId, name, amount }: PostValues): NewPayment {
  return { fromPlayerId: playerId, toPlayerId, name: name.trim(), amount: amountOf(amount) };
}
