import type { ApiKey, KeyLimits } from './key.ts';
import { coversNetworks } from './networks.ts';
import { raisesRouteLimits } from './route-limits.ts';

/** The fields of a key that decide what it may do. */
export type KeyRights = Pick<ApiKey, 'scopes' | 'expiresAtMs' | 'networks' | 'limits' | 'routeLimits'>;

type Widens<Value> = (before: Value, after: Value) => boolean;

/** For each right of a key: true when the value after a change allows something that the value before did not. */
const WIDENS: { [Right in keyof KeyRights]: Widens<KeyRights[Right]> } = {
  scopes: (before, after) => after.some((scope) => !before.includes(scope)),
  expiresAtMs: (before, after) => after > before,
  networks: (before, after) => !coversNetworks(before, after),
  limits: (before, after) =>
    isHigher(before, after, 'amountMaxUnits') || isHigher(before, after, 'withdrawnPerDayMaxUnits'),
  routeLimits: raisesRouteLimits,
};

/**
 * True when a change lets a key do more than before in any way, even when it does less in another. A loosened key is
 * as powerful as a new one for everybody who has its value, so loosening needs the same right as creating a key.
 */
export function loosens(before: KeyRights, after: KeyRights): boolean {
  return (
    WIDENS.scopes(before.scopes, after.scopes) ||
    WIDENS.expiresAtMs(before.expiresAtMs, after.expiresAtMs) ||
    WIDENS.networks(before.networks, after.networks) ||
    WIDENS.limits(before.limits, after.limits) ||
    WIDENS.routeLimits(before.routeLimits, after.routeLimits)
  );
}

/** A limit that is not set counts as infinite. */
function isHigher(before: KeyLimits, after: KeyLimits, limit: keyof KeyLimits): boolean {
  const unlimited = Number.POSITIVE_INFINITY;
  return (after[limit] ?? unlimited) > (before[limit] ?? unlimited);
}
