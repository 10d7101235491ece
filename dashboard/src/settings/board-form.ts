import { t } from '@lingui/core/macro';
import type { Board, BoardChange, BoardParts } from '../api/board.ts';
import { parseMoney } from '../components/money.ts';
import { plainAmount, typedAmount } from '../components/typed-amount.ts';

export interface BoardValues {
  name: string;
  isPublished: boolean;
  names: boolean;
  leaderboard: boolean;
  totals: boolean;
  chart: boolean;
  moves: boolean;
  movesMin: string;
  commands: boolean;
}

export function toValues({ name, movesMin, ...flags }: Board): BoardValues {
  return { ...flags, name: name ?? '', moves: movesMin !== null, movesMin: typedAmount(movesMin ?? '') };
}

/** The rules of the service, so that most faults are seen before the form is sent. */
export function nameFault(name: string): string | null {
  if (name.length < 3 || name.length > 32) return t`Between 3 and 32 characters`;
  if (!/^[a-z0-9-]+$/.test(name)) return t`Lower-case letters, digits and hyphens only`;
  return /^-|-$/.test(name) ? t`It begins and ends with a letter or digit` : null;
}

export function amountFault(text: string, { moves }: Pick<BoardValues, 'moves'>): string | null {
  const units = parseMoney(plainAmount(text.trim()));
  return moves && (units === undefined || units < 0n) ? t`An amount with at most four decimals` : null;
}

/** The parts that are on. An amount that cannot be read shows no moves. */
export function toParts(values: BoardValues): BoardParts {
  const { names, leaderboard, totals, chart, commands, moves, movesMin } = values;
  const isShown = moves && amountFault(movesMin, values) === null;
  const amount = isShown ? Number(plainAmount(movesMin.trim())) : null;
  return { names, leaderboard, totals, chart, commands, movesMin: amount };
}

export function toChange(values: BoardValues): BoardChange {
  return { ...toParts(values), name: values.name, isPublished: values.isPublished };
}

/** The frame for the guild's own site. */
export function embedCode(address: string): string {
  return `<iframe src="${address}/embed" width="360" height="660" style="border:0" loading="lazy" title="${t`Guild board`}"></iframe>`;
}
