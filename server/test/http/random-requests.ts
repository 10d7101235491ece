import { dashboard } from './random-dashboard-requests.ts';
import { batch, ledgerRead, list, payment, post, reversal } from './random-ledger-requests.ts';
import { guild, importLines, people, put, records } from './random-record-requests.ts';
import type { Access, Random, Request } from './random-request-parts.ts';

/** One request of any kind the service answers, right in most ways and wrong in some. */
export function randomRequest(random: Random, access: Access): Request {
  const { pick, chance } = random;
  const kinds = [
    post,
    post,
    post,
    list,
    list,
    batch,
    payment,
    reversal,
    ledgerRead,
    ledgerRead,
    ledgerRead,
    records,
    people,
    put,
    put,
    importLines,
    dashboard,
    dashboard,
    guild,
  ];
  const request = pick(kinds)(random, access);
  return chance(2) ? { ...request, key: 'gbk_wrong' } : request;
}

/** One request of the kinds that have a rate limit per second. */
export function randomLimitedRequest(random: Random, access: Access): Request {
  return random.pick([post, list])(random, access);
}
