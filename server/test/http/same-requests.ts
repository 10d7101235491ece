import { createHash } from 'node:crypto';
import { expect, onTestFinished } from 'vitest';
import { createSealer } from '../../src/domain/access/sealing.ts';
import { csrfTokenOf, hashOfSession } from '../../src/domain/access/session-token.ts';
import { sealTokens } from '../../src/domain/access/session-tokens.ts';
import { SCOPES } from '../../src/domain/model.ts';
import { testIds } from '../support/ids.ts';
import { listenOnFreePort } from '../support/raw-http.ts';
import { startTestService, type TestService } from '../support/service.ts';
import { BOT_TOKEN } from './bot-service.ts';
import { type Access, createRandom, GUILDS, type Request } from './random-request-parts.ts';
import { randomLimitedRequest, randomRequest } from './random-requests.ts';

const SEED = 20_260_620;
const ORIGIN = 'http://127.0.0.1:3000';
const TOKEN = 'a'.repeat(43);
const ENVIRONMENT = {
  BOT_TOKEN,
  PUBLIC_URL: ORIGIN,
  SECRET_KEY: 'k'.repeat(32),
  CHAT_CLIENT_ID: 'client',
  CHAT_CLIENT_SECRET: 'secret',
  // Nothing listens there: requests that need the chat platform fail on both sides alike.
  CHAT_API_URL: 'http://127.0.0.1:1/api',
  CHAT_TOKEN_URL: 'http://127.0.0.1:1/token',
  CHAT_AUTHORIZE_URL: 'http://127.0.0.1:1/authorize',
};
/** Each service's own: when it answered by the wall clock, and which request it was. */
const OWN_HEADERS = ['date', 'x-request-id'];
/** Written every two seconds of real time, hence for each service at another request. */
const LAST_USE = /"lastUsedAt":(?:null|"[^"]{24}")/;
/** A cursor into the leaderboard holds the number of an account in the store, which is each store's own choice. */
const OWN_CURSOR = /"nextCursor":"[^"]+"/;
const LONG_STEP_MS = 40_000_000;
const SIGN_IN_EVERY_MS = 60_000;
const KEY_LIFETIME_MS = 360 * 86_400_000;
const NAMED_MAX = 40;
const SEEN = [
  'PUT 200',
  'DELETE 200',
  'DELETE 404',
  'GET 404',
  'GET 400',
  'GET 401',
  'POST 400',
  'POST 401',
  'POST 404',
  'POST 409',
  'POST 422',
  'POST 429',
];

/** The same ids, keys and random bytes for both services. */
export function createSameIds() {
  let count = 0;
  const next = () => {
    count += 1;
    return createHash('sha256').update(`id ${count}`).digest();
  };
  return {
    uuid() {
      const hex = next().toString('hex');
      return `${String(count).padStart(8, '0')}-0000-7${hex.slice(0, 3)}-8${hex.slice(3, 6)}-${hex.slice(6, 18)}`;
    },
    randomBytes: (size: number) =>
      Buffer.concat(Array.from({ length: Math.ceil(size / 32) }, next)).subarray(0, size),
  };
}

/** One of two services that are asked the same. */
export interface Side {
  service: TestService;
  address: string;
  access: Access;
  /** Moves the clock, and signs the owner in again once a minute: without a platform to ask, a session opens nothing for long. */
  advance(ms: number): Promise<void>;
}

export async function startSide(databaseUrl?: string): Promise<Side> {
  const environment = { ...ENVIRONMENT, ...(databaseUrl !== undefined && { DATABASE_URL: databaseUrl }) };
  const service = await startTestService(environment, { ids: createSameIds() });
  onTestFinished(() => service.stop());
  const keys: string[] = [];
  for (const guildId of GUILDS) {
    await service.addGuild(guildId);
    keys.push((await service.addKey(guildId, SCOPES, KEY_LIFETIME_MS)).value);
  }
  await signIn(service);
  let signedInAtMs = service.clock.nowMs();
  const cookie = `guildbook_session=${TOKEN}`;
  return {
    service,
    address: `http://127.0.0.1:${await listenOnFreePort(service.app)}`,
    access: {
      keys,
      session: { cookie, origin: ORIGIN, 'x-csrf-token': csrfTokenOf(TOKEN) },
      transactionIds: [],
    },
    async advance(ms) {
      service.clock.advance(ms);
      if (service.clock.nowMs() - signedInAtMs >= SIGN_IN_EVERY_MS) {
        signedInAtMs = service.clock.nowMs();
        await signIn(service);
      }
    },
  };
}

async function signIn({ store, clock }: TestService): Promise<void> {
  const nowMs = clock.nowMs();
  const { origin } = new URL(ENVIRONMENT.CHAT_API_URL);
  const tokenHash = hashOfSession(TOKEN, { identity: `${origin} ${ENVIRONMENT.CHAT_CLIENT_ID}` });
  const sealer = createSealer(ENVIRONMENT.SECRET_KEY, testIds);
  const tokens = { accessToken: 'access', refreshToken: undefined, expiresAtMs: nowMs + 1e9 };
  await store.sessions.delete(tokenHash);
  await store.sessions.insert({
    tokenHash,
    user: { chatId: 'owner', name: 'Olga', avatar: undefined },
    guilds: GUILDS.map((guildId) => ({
      guildId,
      name: guildId,
      icon: undefined,
      standing: 'owner' as const,
      chatRoleIds: [],
    })),
    sealedTokens: sealTokens(sealer, tokens, tokenHash),
    tokensExpireAtMs: nowMs + 1e9,
    createdAtMs: nowMs,
    lastSeenAtMs: nowMs,
    expiresAtMs: nowMs + 1e9,
  });
}

export async function answerOf({ service, address }: Side, { method, url, key, headers, payload }: Request) {
  const isText = typeof payload === 'string';
  const body = payload === undefined ? null : isText ? payload : JSON.stringify(payload);
  const sent = {
    ...(body !== null && !isText && { 'content-type': 'application/json' }),
    ...(headers as Record<string, string>),
    ...(key !== undefined && { 'x-api-key': key }),
  };
  const {
    status,
    headers: received,
    text,
  } = await service.fetch(`${address}${url}`, {
    method: String(method),
    headers: sent,
    body,
  });
  const hidden = String(url).startsWith('/guild/accounts') ? OWN_CURSOR : LAST_USE;
  const own = hidden.test(text) ? [...OWN_HEADERS, 'content-length'] : OWN_HEADERS;
  const shown = [...received].filter(([name]) => !own.includes(name));
  return {
    status,
    headers: Object.fromEntries(shown),
    text: text.replaceAll(new RegExp(hidden, 'g'), ''),
  };
}

/** The transactions that were named last, by this answer first. */
function namedIn(text: string, before: readonly string[]): string[] {
  const named = [...text.matchAll(/"transactionId":"([0-9a-f-]{36})"/g)].map(([, id = '']) => id);
  return [...new Set([...named, ...before])].slice(0, NAMED_MAX);
}

/** Asks both sides the same random requests, one after the other, and expects the same answers. */
export async function expectSameAnswers(left: Side, right: Side, requests: number): Promise<void> {
  expect(right.access).toEqual(left.access);
  const random = createRandom(SEED);
  const statuses: Record<string, number> = {};
  for (let count = 0; count < requests; count += 1) {
    // Now and then more at one moment than the limit lets through.
    const isBurst = random.chance(2);
    const request = (isBurst ? randomLimitedRequest : randomRequest)(random, left.access);
    for (let times = isBurst ? 12 : 1; times > 0; times -= 1) {
      const [one, other] = [await answerOf(left, request), await answerOf(right, request)];
      expect(other, `request ${count}: ${JSON.stringify(request)}`).toEqual(one);
      const kind = `${request.method} ${one.status}`;
      statuses[kind] = (statuses[kind] ?? 0) + 1;
      left.access.transactionIds = namedIn(one.text, left.access.transactionIds);
    }
    // Some requests fall into one moment, some on another day.
    const stepMs = random.chance(2) ? LONG_STEP_MS : random.pick([0, 150, 150, 400]);
    await left.advance(stepMs);
    await right.advance(stepMs);
  }
  // The requests were worth comparing: most were answered, and each kind of refusal was among them.
  const share = (kind: string) => (statuses[kind] ?? 0) / requests;
  expect(share('GET 200'), JSON.stringify(statuses)).toBeGreaterThan(0.3);
  expect(share('POST 200'), JSON.stringify(statuses)).toBeGreaterThan(0.15);
  for (const kind of SEEN) {
    expect(share(kind), `${kind} in ${JSON.stringify(statuses)}`).toBeGreaterThan(0);
  }
}
