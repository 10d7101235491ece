import { withoutGroups } from '../components/money.ts';
import { isDecimal } from '../components/search-filters.ts';

/** Under which the form of a player's limit is kept. */
export function floorFormId(playerId: string): string {
  return `floors/${playerId}`;
}

/** A limit may be left empty, and may be below zero. */
export function floorFault(floor: string): string | null {
  const text = withoutGroups(floor).trim();
  const isAmount = text === '' || isDecimal(text.replace(/^-/, ''));
  return isAmount ? null : 'A number such as 250 or -12.5, with at most 4 decimal places';
}

/** Null leaves it to the guild. */
export function floorOf(floor: string): number | null {
  const text = withoutGroups(floor).trim();
  return text === '' ? null : Number(text);
}
