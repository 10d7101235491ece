import { t } from '@lingui/core/macro';
import { isDecimal } from '../components/search-filters.ts';
import { plainAmount } from '../components/typed-amount.ts';

/** The form id of a player's floor, for its draft. */
export function floorFormId(playerId: string): string {
  return `floors/${playerId}`;
}

/** A floor may be empty, and may be below zero. */
export function floorFault(floor: string): string | null {
  const text = plainAmount(floor).trim();
  const isAmount = text === '' || isDecimal(text.replace(/^-/, ''));
  return isAmount ? null : t`A number such as 250 or -12.5, with at most 4 decimal places`;
}

/** Null applies the guild's rule. */
export function floorOf(floor: string): number | null {
  const text = plainAmount(floor).trim();
  return text === '' ? null : Number(text);
}
