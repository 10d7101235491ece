import { afterAll, beforeAll, beforeEach, describe, expect, test } from 'vitest';
import {
  HANDLERS_PER_PERSON_MAX,
  REQUESTS_PER_PERSON_MAX,
  SESSION_CHANGES,
  SESSION_READS,
} from '../../src/http/access/person-requests.ts';
import type { AddRoutes } from '../../src/http/server.ts';
import { seriesOf } from '../support/metrics.ts';
import { LONG_TEST, untilTrue } from '../support/patience.ts';
import { transactionBody } from '../support/service.ts';
import {
  type DashboardService,
  GUILD,
  keysPath,
  type Reply,
  type SignedInBrowser,
} from './dashboard-service.ts';
import { createHeldHandlers } from './held-handlers.ts';
import { hookedRoutes } from './step-hook.ts';

const SESSION = '/dashboard/api/session';
const PREFERENCES = '/dashboard/api/preferences';
/** As many as the attack had that showed the fault. */
const AT_ONCE = 24;
/** Requests are sent in groups of this size, below what a person may have under way. */
const GROUP = 50;

/** A person who signs in and has no guild must not get in the way of anybody. */
export function describeSessionLimits(start: (addRoutes: AddRoutes) => Promise<DashboardService>): void {
  const held = createHeldHandlers();
  let service: DashboardService;
  let stranger: SignedInBrowser;
  let strangers = 0;

  beforeAll(async () => {
    service = await start(hookedRoutes(held.stepHook));
  });
  afterAll(() => service.stop());
  // Each test has a stranger of its own, with whole limits.
  beforeEach(async () => {
    strangers += 1;
    const username = `stranger${strangers}x`;
    service.platform.people.push({ username, chatId: `70${strangers}`, about: username, guilds: [] });
    stranger = await service.signIn(username);
  });

  const setDensity = (browser: SignedInBrowser) => browser.change('PUT', PREFERENCES, { density: 'compact' });

  async function repeat(count: number, send: () => Promise<Reply>): Promise<Reply[]> {
    const replies: Reply[] = [];
    while (replies.length < count) {
      const group = Math.min(GROUP, count - replies.length);
      replies.push(...(await Promise.all(Array.from({ length: group }, send))));
    }
    return replies;
  }

  const statusesOf = (replies: readonly Reply[]) => [...new Set(replies.map(({ status }) => status))];
  const limitHeaders = ({ headers }: Reply) =>
    ['x-ratelimit-limit', 'x-ratelimit-remaining', 'x-ratelimit-reset-after', 'retry-after'].map((name) =>
      headers.get(name),
    );

  /** Another person and the key of a guild are answered as always. */
  async function expectOthersServed(): Promise<void> {
    const olga = await service.signIn('olga');
    expect((await olga.go(keysPath(GUILD))).status).toBe(200);
    expect((await setDensity(olga)).status).toBe(200);
    const key = (await service.addKey(GUILD)).value;
    const post = await service.fetch(`${service.address}/guild/ledger`, {
      method: 'POST',
      headers: { 'x-api-key': key, 'content-type': 'application/json' },
      body: JSON.stringify(transactionBody()),
    });
    expect(post.status).toBe(200);
  }

  describe('a stranger who sends as fast as possible', () => {
    test('is refused beyond the limit of reads, with headers, and nobody else is', LONG_TEST, async () => {
      // The sign-in has read the session once.
      const first = await stranger.go(SESSION);
      expect(limitHeaders(first)).toEqual([
        `${SESSION_READS.limit}`,
        `${SESSION_READS.limit - 2}`,
        '10.001',
        null,
      ]);
      const admitted = await repeat(SESSION_READS.limit - 2, () => stranger.go(SESSION));
      expect(statusesOf(admitted)).toEqual([200]);
      const refused = await stranger.go(SESSION);
      expect(refused.status).toBe(429);
      expect(refused.body).toEqual({
        success: false,
        message: `Too many requests - limit is ${SESSION_READS.limit} requests per 10 seconds`,
        code: 'rate_limited',
      });
      expect(limitHeaders(refused)).toEqual([`${SESSION_READS.limit}`, '0', '10.001', '11']);
      await expectOthersServed();
      service.clock.advance(11_000);
      expect((await stranger.go(SESSION)).status).toBe(200);
    });

    test('has another limit for changes, and can sign out beyond it', LONG_TEST, async () => {
      expect(statusesOf(await repeat(SESSION_CHANGES.limit, () => setDensity(stranger)))).toEqual([200]);
      const refused = await setDensity(stranger);
      expect([refused.status, ...limitHeaders(refused)]).toEqual([
        429,
        `${SESSION_CHANGES.limit}`,
        '0',
        '10.001',
        '11',
      ]);
      expect((await stranger.go(SESSION)).status).toBe(200);
      await expectOthersServed();
      expect((await stranger.change('POST', '/dashboard/api/sign-out')).status).toBe(200);
    });

    test('has one limit in all sessions', LONG_TEST, async () => {
      const second = await service.signIn(`stranger${strangers}x`);
      await repeat(SESSION_CHANGES.limit / 2, () => setDensity(stranger));
      const replies = await repeat(SESSION_CHANGES.limit / 2, () => setDensity(second));
      expect(statusesOf(replies)).toEqual([200]);
      expect((await setDensity(second)).status).toBe(429);
      expect((await setDensity(stranger)).status).toBe(429);
    });

    test('is refused likewise when the requests are those that get nothing', LONG_TEST, async () => {
      const unknown = await repeat(SESSION_READS.limit - 1, () => stranger.go(keysPath(GUILD)));
      expect(statusesOf(unknown)).toEqual([404]);
      expect((await stranger.go(keysPath(GUILD))).status).toBe(429);
      const forged = await repeat(SESSION_CHANGES.limit, () => stranger.go(PREFERENCES, { method: 'PUT' }));
      expect(statusesOf(forged)).toEqual([403]);
      expect((await stranger.go(PREFERENCES, { method: 'PUT' })).status).toBe(429);
    });
  });

  describe('a stranger with many requests at once', () => {
    const cookie = () => Array.from(stranger.cookies, ([name, value]) => `${name}=${value}`).join('; ');
    const heldCount = async () =>
      seriesOf(await service.metrics.text(), 'guildbook_http_held_resources{resource="session_request"}');

    /** A request whose handler is held, on a connection of its own. */
    function sendHeld(signal?: AbortSignal): Promise<number> {
      const headers = { cookie: cookie(), ...held.headers() };
      const reply = service.fetch(service.address + SESSION, { headers, ...(signal && { signal }) });
      return reply.then(({ status }) => status);
    }

    test('occupies a few handlers, and the others wait for their turn', LONG_TEST, async () => {
      const replies = Promise.all(Array.from({ length: AT_ONCE }, () => sendHeld()));
      await untilTrue(async () => (await heldCount()) === AT_ONCE);
      await untilTrue(() => held.count() === HANDLERS_PER_PERSON_MAX);
      await expectOthersServed();
      expect(held.count()).toBe(HANDLERS_PER_PERSON_MAX);
      held.releaseAll();
      expect(await replies).toEqual(Array(AT_ONCE).fill(200));
      await untilTrue(async () => (await heldCount()) === 0);
    });

    test('is refused beyond a bound, until some have ended', LONG_TEST, async () => {
      const replies = Array.from({ length: REQUESTS_PER_PERSON_MAX }, () => sendHeld());
      await untilTrue(async () => (await heldCount()) === REQUESTS_PER_PERSON_MAX);
      const refused = await stranger.go(SESSION);
      expect([refused.status, refused.headers.get('retry-after')]).toEqual([429, '1']);
      expect(refused.body.message).toBe('Too many requests - limit is 100 unfinished requests');
      await expectOthersServed();
      held.releaseAll();
      expect(new Set(await Promise.all(replies))).toEqual(new Set([200]));
      expect((await stranger.go(SESSION)).status).toBe(200);
    });

    test('gains nothing by leaving: work counts until it is done, and waiting ends', LONG_TEST, async () => {
      const leaving = new AbortController();
      const gone = Array.from({ length: AT_ONCE }, () => sendHeld(leaving.signal).catch(() => 'gone'));
      await untilTrue(async () => (await heldCount()) === AT_ONCE);
      await untilTrue(() => held.count() === HANDLERS_PER_PERSON_MAX);
      leaving.abort();
      expect(new Set(await Promise.all(gone))).toEqual(new Set(['gone']));
      // The others left the queue; those at work stay, so that the next one waits.
      await untilTrue(async () => (await heldCount()) === HANDLERS_PER_PERSON_MAX);
      const next = stranger.go(SESSION);
      await untilTrue(async () => (await heldCount()) === HANDLERS_PER_PERSON_MAX + 1);
      expect(held.count()).toBe(HANDLERS_PER_PERSON_MAX);
      held.releaseAll();
      expect((await next).status).toBe(200);
      await untilTrue(async () => (await heldCount()) === 0);
    });
  });
}
