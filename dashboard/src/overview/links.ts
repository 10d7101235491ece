import { ledgerAddress } from '../components/addresses.ts';
import { utcDays } from '../components/date-range.ts';

interface Days {
  since: string;
  until: string;
}

export type Direction = 'in' | 'out';

/** The address of exactly the rows of a sum: the same days in UTC, direction and source. */
export function rowsAddress(
  guildId: string,
  { since, until }: Days,
  { direction, source }: { direction?: Direction; source?: string } = {},
): string {
  return ledgerAddress(guildId, {
    ...utcDays(since, until),
    ...(source !== undefined && { from: source }),
    ...(direction === 'in' && { minAmount: '0' }),
    ...(direction === 'out' && { maxAmount: '0' }),
  });
}
