import type { Overview } from '../api/overview.ts';
import { ledgerAddress } from '../components/addresses.ts';
import { daysInAddress } from '../components/date-range.ts';

/** Days of a sum, both included, and the time zone in which they are counted. */
export interface SummedDays {
  since: string;
  until: string;
  timeZone: string;
}

/** The days of an overview, or some of them. */
export function daysOf(
  { range, timeZone }: Pick<Overview, 'range' | 'timeZone'>,
  { since, until }: { since: string; until: string } = range,
): SummedDays {
  return { since, until, timeZone };
}

export type Direction = 'in' | 'out';

/** The address of exactly the rows of a sum: the same days, direction and source. */
export function rowsAddress(
  guildId: string,
  days: SummedDays,
  { direction, source }: { direction?: Direction; source?: string } = {},
): string {
  return ledgerAddress(guildId, {
    ...daysInAddress(days, days.timeZone),
    ...(source !== undefined && { from: source }),
    ...(direction === 'in' && { minAmount: '0' }),
    ...(direction === 'out' && { maxAmount: '0' }),
  });
}
