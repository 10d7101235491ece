import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { RECHECK_MS, STREAMS_PER_PERSON_MAX } from '../../src/http/dashboard/live-ledger.ts';
import { openEventStream } from '../support/event-stream.ts';
import { untilTrue } from '../support/patience.ts';
import { transactionBody } from '../support/service.ts';
import {
  type DashboardService,
  GUILD,
  OTHER_GUILD,
  type SignedInBrowser,
  startDashboardService,
} from './dashboard-service.ts';

let service: DashboardService;
beforeAll(async () => {
  service = await startDashboardService();
});
afterAll(() => service.stop());

const eventsPath = (guildId: string) => `/dashboard/api/guilds/${guildId}/events`;

function watch(
  { cookies }: SignedInBrowser,
  path: string,
  headers: Record<string, string> = {},
  at = service,
) {
  const cookie = Array.from(cookies, ([name, value]) => `${name}=${value}`).join('; ');
  return openEventStream(new URL(path, at.address), { cookie, ...headers });
}

async function post(guildId: string, playerIds: string[]): Promise<void> {
  const { value: key } = await service.addKey(guildId);
  const posts = playerIds.map((playerId) => transactionBody({ playerId }));
  const payload = { transactions: posts, mode: 'all' };
  expect((await service.send({ method: 'POST', url: '/guild/transactions', key, payload })).status).toBe(200);
}

describe('the stream of a ledger', () => {
  test('tells what was posted by number, goes on where a browser left it, and knows one guild only', async () => {
    const olga = await service.signIn('olga');
    await post(GUILD, ['before']);
    const stream = await watch(olga, eventsPath(GUILD));
    expect([stream.status, stream.headers.get('content-type'), stream.headers.get('cache-control')]).toEqual([
      200,
      'text/event-stream; charset=utf-8',
      'no-store',
    ]);
    await post(OTHER_GUILD, ['theirs']);
    await post(GUILD, ['a', 'b', 'a']);
    expect(await stream.until(1)).toEqual({
      id: '4',
      event: 'transactions',
      data: { count: 3, playerIds: ['a', 'b'] },
    });
    stream.close();

    await post(GUILD, ['c']);
    const resumed = await watch(olga, eventsPath(GUILD), { 'last-event-id': '4' });
    expect(await resumed.until(1)).toMatchObject({ id: '5', data: { count: 1, playerIds: ['c'] } });
    const from = await watch(olga, `${eventsPath(GUILD)}?after=1`);
    expect(await from.until(1)).toMatchObject({ id: '5', data: { count: 4, playerIds: ['a', 'b', 'c'] } });
    // From a ledger that was longer, before a backup was restored.
    const ahead = await watch(olga, eventsPath(GUILD), { 'last-event-id': '900' });
    await post(
      GUILD,
      Array.from({ length: 100 }, (_, index) => `many-${index}`),
    );
    expect(await ahead.until(1)).toMatchObject({ id: '105', data: { count: 100 } });
    const far = await watch(olga, eventsPath(GUILD), { 'last-event-id': '0' });
    expect(await far.until(1)).toMatchObject({ id: '105', data: { count: 105, playerIds: null } });
  });

  test('says that something else was changed, and not what', async () => {
    const olga = await service.signIn('olga');
    const stream = await watch(olga, eventsPath(GUILD));
    const path = `/dashboard/api/guilds/${GUILD}/settings`;
    expect((await olga.change('PUT', path, { currencyName: 'Live' })).status).toBe(200);
    await stream.untilChanges();
  });

  test.each(['nothing', '-1', '1.5', '99999999999999999'])('refuses the number %s', async (text) => {
    const adam = await service.signIn('adam');
    const bad = await adam.go(eventsPath(GUILD), { headers: { 'last-event-id': text } });
    expect([bad.status, bad.body.message]).toEqual([
      400,
      'Bad request - last-event-id must be a number of the ledger',
    ]);
    expect((await adam.go(`${eventsPath(GUILD)}?after=${text}`)).status).toBe(400);
  });

  test('says that it is alive when nothing happens', async () => {
    const stream = await watch(await service.signIn('olga'), eventsPath(GUILD));
    service.clock.advance(15_000);
    await stream.untilAlive();
  });

  test('ends with the session, and looking does not keep an idle session open', async () => {
    const mara = await service.signIn('mara');
    const stream = await watch(mara, eventsPath(GUILD));
    await mara.change('POST', '/dashboard/api/sign-out');
    service.clock.advance(RECHECK_MS);
    await stream.untilEnded();
    expect((await mara.go(eventsPath(GUILD))).status).toBe(401);

    const again = await service.signIn('mara');
    const idle = await watch(again, eventsPath(GUILD));
    for (let step = 0; step < 3; step += 1) {
      service.clock.advance(41 * 60_000);
      await post(GUILD, ['watched']);
      if (step < 2) await idle.until(step + 1);
    }
    await idle.untilEnded();
  });

  test('ends when the role is taken away', async () => {
    const olga = await service.signIn('olga');
    const role = `/dashboard/api/guilds/${GUILD}/roles/people/104`;
    await olga.change('PUT', role, { role: 'viewer' });
    const memo = await service.signIn('memo');
    const stream = await watch(memo, eventsPath(GUILD));
    expect(stream.status).toBe(200);
    await olga.change('DELETE', role);
    service.clock.advance(RECHECK_MS);
    await stream.untilEnded();
  });

  test('is had by one person a few times at once, and by others all the same', async () => {
    const adam = await service.signIn('adam');
    const streams = await Promise.all(
      Array.from({ length: STREAMS_PER_PERSON_MAX }, () => watch(adam, eventsPath(GUILD))),
    );
    expect(streams.map(({ status }) => status)).toEqual(streams.map(() => 200));
    const refused = await adam.go(eventsPath(GUILD));
    expect([refused.status, refused.headers.get('retry-after')]).toEqual([429, '30']);
    const otto = await service.signIn('otto');
    expect((await watch(otto, eventsPath(OTHER_GUILD))).status).toBe(200);
    streams[0]?.close();
    await untilTrue(async () => {
      const next = await watch(adam, eventsPath(GUILD));
      if (next.status !== 200) next.close();
      return next.status === 200;
    });
  });
});

test('a service that stops ends its streams and waits for none', async () => {
  const other = await startDashboardService();
  const olga = await other.signIn('olga');
  const stream = await watch(olga, eventsPath(GUILD), {}, other);
  await other.stop();
  await stream.untilEnded();
});
