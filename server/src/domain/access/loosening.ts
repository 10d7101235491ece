import type { ApiKey, KeyLimits } from './key.ts';
import { coversNetworks } from './networks.ts';
import { raisesRouteLimits } from './route-limits.ts';

/** Everything about a key that says what it can do. */
export type KeyRights = Pick<ApiKey, 'scopes' | 'expiresAtMs' | 'networks' | 'limits' | 'routeLimits'>;

type Widens<Value> = (before: Value, after: Value) => boolean;

/** What loosening means, for each right of a key: with the value after a change the key can do something that it could not before. */
const WIDENS: { [Right in keyof KeyRights]: Widens<KeyRights[Right]> } = {
  scopes: (before, after) => after.some((scope) => !before.includes(scope)),
  expiresAtMs: (before, after) => after > before,
  networks: (before, after) => !coversNetworks(before, after),
  limits: (before, after) =>
    isHigher(before, after, 'amountMaxUnits') || isHigher(before, after, 'withdrawnPerDayMaxUnits'),
  routeLimits: raisesRouteLimits,
};

/**
 * Whether a change lets a key do more than before in any way, also when it does less in another. A key that was loosened is as
 * good as a new one to those who hold its value, so loosening needs the same right as issuing.
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

/** No limit is higher than any. */
function isHigher(before: KeyLimits, after: KeyLimits, limit: keyof KeyLimits): boolean {
  const unlimited = Number.POSITIVE_INFINITY;
  return (after[limit] ?? unlimited) > (before[limit] ?? unlimited);
}
