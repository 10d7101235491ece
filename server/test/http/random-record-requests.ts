import { BEARER } from './bot-service.ts';
import {
  type Access,
  DATES,
  GUILDS,
  IDS,
  NAMES,
  PLAYERS,
  type Random,
  type Request,
  SOURCES,
  segment,
  withQuery,
} from './random-request-parts.ts';

export function records({ pick }: Random, { keys }: Access): Request {
  return {
    method: 'GET',
    url: `/guild/${pick(['discharges', 'transfers'])}/${segment(pick(IDS))}`,
    key: pick(keys),
  };
}

export function people({ pick, chance }: Random, { keys }: Access): Request {
  if (chance(20)) {
    return {
      method: 'GET',
      url: withQuery('/commands', { category: chance(50) ? pick(['Economy', 'x']) : undefined }),
    };
  }
  const query = `${pick(['', 'chat:', 'player:', 'name:'])}${pick([...PLAYERS, ...NAMES, '1', '2'])}`;
  return { method: 'GET', url: `/users/${segment(query)}`, key: pick(keys) };
}

function discharge({ pick }: Random) {
  return {
    chatId: pick(['1', '2']),
    playerId: pick(PLAYERS),
    name: pick(NAMES),
    reason: pick(['', 'Retired']),
    date: pick(DATES),
    type: pick(['Honourable', 'honourable', 'é']),
    from: pick(['First', '']),
    signed: pick(NAMES),
  };
}

function transfer({ pick }: Random) {
  return {
    playerId: pick(PLAYERS),
    name: pick(NAMES),
    date: pick(DATES.slice(1)),
    from: 'First',
    to: pick(['Second', 'Third']),
    signed: pick(NAMES),
  };
}

function person({ pick, chance }: Random) {
  const pastUsers = [{ playerId: pick(PLAYERS), username: pick(NAMES) }];
  return { playerId: pick(PLAYERS), username: pick(NAMES), ...(chance(30) && { pastUsers }) };
}

/** The operator's bot puts or deletes a record or a verification. */
export function put(random: Random): Request {
  const { pick, chance, below } = random;
  const method = chance(80) ? 'PUT' : 'DELETE';
  const records = `/bot/guilds/${pick(GUILDS)}`;
  const kinds = [
    { url: `${records}/discharges/${segment(pick(IDS))}`, payload: discharge(random) },
    { url: `${records}/transfers/${segment(pick(IDS))}`, payload: transfer(random) },
    { url: `/bot/users/${below(6)}`, payload: person(random) },
  ];
  if (chance(8)) {
    const command = { description: 'd', extendedHelp: '', preconditions: ['a', 'é'] };
    const payload = Array.from({ length: below(4) }, () => ({
      category: 'Economy',
      name: pick(NAMES),
      ...command,
    }));
    return { method: 'PUT', url: '/bot/commands', headers: BEARER, payload };
  }
  const { url, payload } = pick(kinds);
  return { method, url, headers: BEARER, ...(method === 'PUT' && { payload }) };
}

export function importLines(random: Random): Request {
  const { pick, below } = random;
  const kind = pick(['discharges', 'transfers', 'verifications', 'transactions']);
  const line = (): object => {
    if (kind === 'transactions') {
      const at = 1_760_000_000_000 + below(400) * 40_000_000;
      return {
        transactionId: `018f0000-0000-7000-8000-${String(below(200)).padStart(12, '0')}`,
        playerId: pick(PLAYERS),
        name: pick(NAMES),
        quantity: 1 + below(3),
        amount: pick([1, -2, 0.5]),
        source: pick(SOURCES),
        createdAt: new Date(at).toISOString(),
      };
    }
    const record = { id: pick(IDS), ...(kind === 'discharges' ? discharge(random) : transfer(random)) };
    return kind === 'verifications' ? { chatId: String(below(6)), ...person(random) } : record;
  };
  return {
    method: 'POST',
    url: withQuery(`/bot/import/${kind}`, { guild: kind === 'verifications' ? undefined : pick(GUILDS) }),
    headers: { ...BEARER, 'content-type': 'application/x-ndjson' },
    payload: Array.from({ length: 1 + below(12) }, () => JSON.stringify(line())).join('\n'),
  };
}

export function guild({ pick, chance }: Random): Request {
  const settings = { overdraftAllowed: chance(60) };
  const payload = {
    name: pick(NAMES),
    plan: 'developer',
    settings,
    ...(chance(30) && { icon: pick(['i', null]) }),
  };
  return { method: 'PUT', url: `/bot/guilds/${pick([...GUILDS, 'g3'])}`, headers: BEARER, payload };
}
