import { t } from '@lingui/core/macro';
import type { Compared } from '../api/overview.ts';
import { percentText } from '../components/language-formats.ts';
import { groupCount, parseMoney } from '../components/money.ts';

export interface Change {
  direction: 'up' | 'down' | 'same';
  /** The absolute change: "12%" or "3". */
  size: string;
}

const percentMax = 999n;

/** The change of a sum in percent; undefined when there is nothing to compare with. */
export function changeOfSum({ current, previous }: Compared<string>): Change | undefined {
  const before = parseMoney(previous) ?? 0n;
  const now = parseMoney(current) ?? 0n;
  if (before <= 0n) return now === before ? { direction: 'same', size: percentText(0) } : undefined;
  const difference = now - before;
  const size = difference < 0n ? -difference : difference;
  const percent = (size * 200n + before) / (before * 2n);
  if (percent === 0n) return { direction: 'same', size: percentText(0) };
  const text =
    percent > percentMax ? overText(percentText(Number(percentMax))) : percentText(Number(percent));
  return { direction: difference > 0n ? 'up' : 'down', size: text };
}

function overText(share: string): string {
  return t`over ${share}`;
}

/** The change of a count. Counts of a month are small, so the difference is more useful than a percentage. */
export function changeOfCount({ current, previous }: Compared<number>): Change {
  const difference = current - previous;
  if (difference === 0) return { direction: 'same', size: '0' };
  return { direction: difference > 0 ? 'up' : 'down', size: groupCount(Math.abs(difference)) };
}
