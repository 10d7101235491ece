import { ledgerAddress } from '../components/addresses.ts';
import { utcDays } from '../components/date-range.ts';

interface Days {
  since: string;
  until: string;
}

export type Direction = 'in' | 'out';

/** Exactly the rows that a sum is made of: those of the days in UTC, in one direction, of one source. */
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
