import { t } from '@lingui/core/macro';
import type { NewPost, Recipient } from '../api/posts.ts';
import { formatMoney, formatSigned, moneyText, parseMoney } from '../components/money.ts';
import { fileSigns, plainAmount } from '../components/typed-amount.ts';
import {
  type CsvFile,
  type CsvRow,
  cellsByName,
  importRowsMax,
  labelledFault,
  lackFault,
  readHeading,
  tooManyFault,
  tornFault,
} from '../imports/csv-file.ts';
import { changeBalance } from './balance-change.ts';
import { amountFault, quantityFault } from './post-fields.ts';
import { amountOf, purposeFault } from './post-form.ts';

/** A line of a file of transactions. */
export interface TransactionLine {
  /** A player id, or the name or id of a person when the file has a column `player`. */
  player: string;
  isPlayerId: boolean;
  post: Omit<NewPost, 'playerId'>;
  /** The signed total. */
  change: string;
  /** Set when the service has found the player. */
  playerId?: string;
}

/** Parses a file with the columns name, amount, and playerId or player; quantity and reference may be missing. */
export function readTransactions(text: string): CsvFile<TransactionLine> {
  const { names, lines } = readHeading(text);
  if (names === undefined) return { rows: [], fault: t`The file is empty.` };
  const isPlayerId = names.includes('playerId');
  const missing = [isPlayerId ? 'playerId' : 'player', 'name', 'amount'].filter(
    (name) => !names.includes(name),
  );
  if (missing.length > 0) return { rows: [], fault: lackFault(missing) };
  if (lines.length === 0) return { rows: [], fault: t`The file has no transactions.` };
  if (lines.length > importRowsMax) return { rows: [], fault: tooManyFault('transactions', lines.length) };
  const rows = lines.map(({ line, cells }): CsvRow<TransactionLine> => {
    const given = cellsByName(names, cells);
    const player = given.get(isPlayerId ? 'playerId' : 'player') ?? '';
    const name = given.get('name') ?? '';
    const amount = given.get('amount') ?? '';
    const quantity = given.get('quantity') || '1';
    const reference = given.get('reference') ?? '';
    const fault = tornFault(names, cells) ?? lineFault({ player, name, amount, quantity, reference });
    const isOut = amount.startsWith('-');
    const size = fault === undefined ? amountOf(unsigned(amount), fileSigns) : 0;
    return {
      line,
      cells: [player, name, quantity, amount],
      fault,
      item: {
        player,
        isPlayerId,
        change: fault === undefined ? totalOf(amount, quantity) : '0',
        post: {
          name,
          quantity: Number(quantity),
          ...(isOut ? { amount: -size, withdrawal: true } : { amount: size, deposit: true }),
          ...(reference !== '' && { reference }),
        },
      },
    };
  });
  return { rows, fault: undefined };
}

const unsigned = (amount: string) => amount.replace(/^[+-]/, '');
const lengthMax = 128;

interface LineTexts {
  player: string;
  name: string;
  amount: string;
  quantity: string;
  reference: string;
}

function lineFault({ player, name, amount, quantity, reference }: LineTexts): string | undefined {
  const faults: [label: string, fault: string | null][] = [
    [t`Player`, player === '' ? t`Say who it is for` : null],
    [t`Name`, purposeFault(name)],
    [t`Quantity`, quantityFault(quantity)],
    [t`Amount`, amountFault(unsigned(amount), fileSigns)],
    [
      t({ message: 'Reference', context: 'of a transaction' }),
      [...reference].length > lengthMax ? t`At most ${lengthMax} characters` : null,
    ],
  ];
  for (const [label, fault] of faults) if (fault !== null) return labelledFault(label, fault);
  return undefined;
}

function totalOf(amount: string, quantity: string): string {
  const size = (parseMoney(plainAmount(unsigned(amount), fileSigns)) ?? 0n) * BigInt(quantity);
  return moneyText(amount.startsWith('-') ? -size : size);
}

/** The questions that lines may need an answer to. */
export const opensQuestion = 'open';
export const overdraftQuestion = 'overdraft';

/**
 * Adds what the service has found: the player of each line, and the balance before and after in the order of the
 * lines. `found` has the people of each text.
 */
export function checkTransactions(
  rows: readonly CsvRow<TransactionLine>[],
  found: ReadonlyMap<string, readonly Recipient[]>,
): CsvRow<TransactionLine>[] {
  const balances = new Map<string, { balance: string; lowest: string | null }>();
  return rows.map((row) => {
    const { player, isPlayerId, change } = row.item;
    const people = found.get(player) ?? [];
    const [one, another] = isPlayerId ? people.filter(({ playerId }) => playerId === player) : people;
    if (another) return { ...row, fault: t`Player: several people are called ${player}; use the player id` };
    if (!one && !isPlayerId) return { ...row, fault: t`Player: nobody has this name or id` };
    const playerId = one?.playerId ?? player;
    const funds = balances.get(playerId) ?? one ?? { balance: '0', lowest: null };
    const { before, after, state } = changeBalance(funds, change);
    if (state === 'refused') {
      const lowest = formatMoney(funds.lowest ?? '0');
      return {
        ...row,
        fault: t`The balance would be ${formatMoney(after)}; the lowest allowed is ${lowest}`,
      };
    }
    balances.set(playerId, { balance: after, lowest: funds.lowest });
    const question = one ? (state === 'below-zero' ? overdraftQuestion : undefined) : opensQuestion;
    const name = one?.name && one.name !== player ? one.name : undefined;
    const note = balanceText(name, formatSigned(change), `${formatMoney(before)} → ${formatMoney(after)}`);
    return {
      ...row,
      item: { ...row.item, playerId },
      question,
      note: one ? note : t`Opens an account. ${note}`,
    };
  });
}

function balanceText(name: string | undefined, change: string, balances: string): string {
  return name === undefined ? t`${change}: ${balances}` : t`${name}, ${change}: ${balances}`;
}

export function postsOf(rows: readonly CsvRow<TransactionLine>[]): NewPost[] {
  return rows.map(({ item: { playerId, player, post } }) => ({ ...post, playerId: playerId ?? player }));
}

/**
 * A key made of the lines, so that a file that is sent twice is posted once. The service compares the whole request, so
 * that two files with the same key are never mixed up.
 */
export function fileKey(posts: readonly NewPost[]): string {
  const text = JSON.stringify(posts);
  let [one, other] = [0xdeadbeef, 0x41c6ce57];
  for (let index = 0; index < text.length; index += 1) {
    const code = text.charCodeAt(index);
    one = Math.imul(one ^ code, 2_654_435_761);
    other = Math.imul(other ^ code, 1_597_334_677);
  }
  return `csv-${posts.length}-${text.length}-${(one >>> 0).toString(16)}${(other >>> 0).toString(16)}`;
}
