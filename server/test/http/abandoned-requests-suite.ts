import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { REQUESTS_PER_PERSON_MAX } from '../../src/http/access/person-requests.ts';
import { STREAMS_PER_PERSON_MAX } from '../../src/http/dashboard/live-ledger.ts';
import { ENDPOINTS } from '../../src/http/endpoints.ts';
import { RESOURCES } from '../../src/http/lifetimes.ts';
import type { AddRoutes } from '../../src/http/server.ts';
import { ACTIONS, OWN_ACCOUNT_ROUTES } from '../../src/wire/roles.ts';
import { changeAt } from '../support/change.ts';
import { openEventStream } from '../support/event-stream.ts';
import { seriesOf } from '../support/metrics.ts';
import { LONG_TEST, untilTrue } from '../support/patience.ts';
import { transactionBody } from '../support/service.ts';
import { type AbandonedRequest, createAbandoningClients } from './abandoning-client.ts';
import { BEARER, BOT_TOKEN } from './bot-service.ts';
import { type DashboardService, GUILD, type SignedInBrowser } from './dashboard-service.ts';
import { HOOKED_STEPS, hookedRoutes } from './step-hook.ts';

/** Stands for every parameter of a path. A player of this id exists, so that the exports of a player can be read. */
const PARAMETER = 'nothing';
const GUILD_PATH = `/dashboard/api/guilds/${GUILD}`;
const EVENTS = `${GUILD_PATH}/events`;
/** Limits of what one guild or one key may hold. A leak of one more locks it out. */
/** Longer than the second in which a key may post ten times, and than an abandoned export occupies a place of its guild. */
const PAUSE_MS = 2_001;
const EXPORTS_PER_GUILD_MAX = 2;
const UNFINISHED_BODIES_MAX = 64;

const EXPORTS = [
  'transactions.csv',
  `players/${PARAMETER}/transactions.csv`,
  'discharges.csv',
  'transfers.csv',
  'audit.csv',
].map((path) => `GET ${GUILD_PATH}/${path}`);

const fill = (path: string) => path.replace('{guildId}', GUILD).replaceAll(/\{\w+\}/g, PARAMETER);

/** Every route with an address of its own. Deleting the key is last, because the others need it. */
const ROUTES: readonly string[] = [
  ...ENDPOINTS.map(({ method, path }) => `${method} ${fill(path.replace('{kind}', 'discharges'))}`),
  ...[...Object.values(ACTIONS).flatMap(({ routes }) => [...routes]), ...OWN_ACCOUNT_ROUTES].map((route) =>
    fill(route.replace(' ', ` ${GUILD_PATH}/`)),
  ),
  'GET /dashboard/api/session',
  'GET /dashboard/api/sign-in',
  'GET /dashboard/',
  'GET /docs',
  'GET /livez',
  'GET /readyz',
  'GET /openapi.json',
].sort((one, other) => Number(one === 'DELETE /guild/key') - Number(other === 'DELETE /guild/key'));

const bodyOf = (path: string) =>
  JSON.stringify(path === '/guild/ledger' ? transactionBody({ playerId: PARAMETER }) : {});

/** A client that leaves while its request is under way must leave nothing behind, whatever the request holds at that moment. */
export function describeAbandonedRequests(
  start: (addRoutes: AddRoutes, settings: Record<string, string>) => Promise<DashboardService>,
): void {
  const clients = createAbandoningClients();
  let service: DashboardService;
  let olga: SignedInBrowser;
  let key: string;

  beforeAll(async () => {
    service = await start(hookedRoutes(clients.stepHook), { BOT_TOKEN });
    const verification = { chatId: '101', playerId: PARAMETER, username: 'olga' };
    await service.store.verifications.put([verification], changeAt(service.clock.nowMs()));
    olga = await service.signIn('olga');
  });
  afterAll(() => service.stop());

  const port = () => Number(new URL(service.address).port);
  const cookie = () => Array.from(olga.cookies, ([name, value]) => `${name}=${value}`).join('; ');

  /** A request that passes the access check of its route. */
  function aRequest(route: string): AbandonedRequest {
    const [method = '', path = ''] = route.split(' ');
    const isImport = path.startsWith('/bot/import/');
    const headers = {
      ...(path.startsWith('/bot/') ? BEARER : { 'x-api-key': key }),
      cookie: cookie(),
      origin: service.address,
      'x-csrf-token': olga.csrfToken,
      'content-type': isImport ? 'application/x-ndjson' : 'application/json',
    };
    return { method, path, headers, ...(method !== 'GET' && { body: `${bodyOf(path)}\n` }) };
  }

  async function renewKey(): Promise<void> {
    key = (await service.addKey(GUILD)).value;
  }

  /** Posts and reads once through each resource that is limited. */
  async function expectServed(): Promise<void> {
    service.clock.advance(PAUSE_MS);
    const payload = transactionBody({ playerId: PARAMETER });
    const post = await service.send({ method: 'POST', url: '/guild/ledger', key, payload });
    expect([post.status, post.text]).toEqual([200, expect.any(String)]);
    expect((await olga.go(`${GUILD_PATH}/transactions.csv`)).status).toBe(200);
    const stream = await openEventStream(new URL(EVENTS, service.address), { cookie: cookie() });
    expect(stream.status).toBe(200);
    stream.close();
    await untilNothingIsHeld();
  }

  async function untilNothingIsHeld(): Promise<void> {
    await untilTrue(async () => {
      const text = await service.metrics.text();
      const counts = RESOURCES.map((resource) =>
        seriesOf(text, `guildbook_http_held_resources{resource="${resource}"}`),
      );
      return counts.every((count) => count === 0);
    });
  }

  describe.each(HOOKED_STEPS)('clients that leave %s', (step) => {
    test('leave nothing behind on any route', LONG_TEST, async () => {
      await renewKey();
      const reached = [];
      for (const route of ROUTES) {
        service.clock.advance(PAUSE_MS);
        if (await clients.abandon(port(), step, [aRequest(route)])) {
          reached.push(route);
        }
      }
      await renewKey();
      await expectServed();
      // Most routes refuse the parameter before their handler; those that hold something must have got there.
      expect(reached).toEqual(expect.arrayContaining([...EXPORTS, `GET ${EVENTS}`, 'POST /guild/ledger']));
      expect(reached).toEqual(expect.arrayContaining(['POST /bot/import/discharges', 'GET /livez']));
    });

    test('lock nobody out, however many they are', LONG_TEST, async () => {
      await renewKey();
      const posts = Array.from({ length: UNFINISHED_BODIES_MAX + 1 }, () => aRequest('POST /guild/ledger'));
      const streams = Array.from({ length: STREAMS_PER_PERSON_MAX + 1 }, () => aRequest(`GET ${EVENTS}`));
      const exports = EXPORTS.slice(0, EXPORTS_PER_GUILD_MAX + 1).map(aRequest);
      const pages = Array.from({ length: REQUESTS_PER_PERSON_MAX + 1 }, () =>
        aRequest('GET /dashboard/api/guilds'),
      );
      for (const request of [...posts, ...streams, ...exports, ...pages]) {
        service.clock.advance(PAUSE_MS);
        expect(await clients.abandon(port(), step, [request])).toBe(true);
      }
      await expectServed();
    });
  });

  test.each(['before identify', 'after identify'] as const)(
    'clients that leave %s and never send the body lock nobody out',
    LONG_TEST,
    async (step) => {
      await renewKey();
      for (let count = 0; count <= UNFINISHED_BODIES_MAX; count += 1) {
        const request = { ...aRequest('POST /guild/ledger'), isBodyHeldBack: true };
        expect(await clients.abandon(port(), step, [request])).toBe(true);
      }
      await expectServed();
    },
  );

  test('requests that wait behind another one on their connection end with it', LONG_TEST, async () => {
    await renewKey();
    for (const route of [`GET ${EVENTS}`, ...EXPORTS]) {
      service.clock.advance(PAUSE_MS);
      const requests = [aRequest('GET /livez'), aRequest(route)];
      expect(await clients.abandon(port(), 'after handler', requests)).toBe(true);
    }
    await expectServed();
  });

  test('what is held shows in the metrics while it is held', async () => {
    const stream = await openEventStream(new URL(EVENTS, service.address), { cookie: cookie() });
    const text = await service.metrics.text();
    expect(seriesOf(text, 'guildbook_http_held_resources{resource="live_stream"}')).toBe(1);
    expect(seriesOf(text, 'guildbook_http_held_resources{resource="streamed_answer"}')).toBe(1);
    expect(seriesOf(text, 'guildbook_http_connections')).toBeGreaterThanOrEqual(1);
    stream.close();
    await untilNothingIsHeld();
  });
}
