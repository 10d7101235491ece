import type { Overview } from '../api/overview.ts';
import { addDays } from '../components/days.ts';
import { addMoney } from '../components/money.ts';

export interface DayTotal {
  day: string;
  total: string;
}

/** The sum of all balances at the end of each day of the range. */
export function dailyTotals({
  opening,
  days,
  range,
}: Pick<Overview, 'opening' | 'days' | 'range'>): DayTotal[] {
  const byDay = new Map(days.map((day) => [day.day, day]));
  const totals: DayTotal[] = [];
  let total = opening;
  for (let day = range.since; day <= range.until; day = addDays(day, 1)) {
    const sums = byDay.get(day);
    if (sums) {
      total = addMoney(total, sums.deposits);
      if (sums.withdrawals !== '0') total = addMoney(total, `-${sums.withdrawals}`);
    }
    totals.push({ day, total });
  }
  return totals;
}
