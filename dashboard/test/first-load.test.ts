import { QueryClient } from '@tanstack/react-query';
import { afterEach, beforeEach, describe, expect, test, vi } from 'vitest';
import { sendFirst, takeFirst } from '../src/api/first-answers.ts';
import { guildsQuery } from '../src/api/guilds.ts';
import { keysQuery } from '../src/api/keys.ts';
import { refusalJumpsQuery } from '../src/api/requests.ts';
import { sessionQuery } from '../src/api/session.ts';
import { webhooksQuery } from '../src/api/webhooks.ts';
import { firstPaths } from '../src/app/first-view.ts';
import { guildPlaceOf } from '../src/app/guild-place.ts';
import { loadPageData } from '../src/app/page-data.ts';

const guild = '/dashboard/guilds/1491363316481801678';
const sent: string[] = [];

beforeEach(() => {
  sent.length = 0;
  vi.stubGlobal('fetch', async (address: string) => {
    sent.push(address.replace('/dashboard/api', ''));
    return Response.json({ success: true, data: [] });
  });
});

afterEach(() => {
  vi.unstubAllGlobals();
  vi.useRealTimers();
});

describe('the first requests', () => {
  test.each([
    [guild, ''],
    [guild, '?range=7d&compare=off'],
    [`${guild}/ledger`, '?sortBy=total&from=shop'],
    [`${guild}/ledger`, '?since=2026-10-01'],
    [`${guild}/people/640478151`, ''],
    [`${guild}/people/640478151`, '?page=3&tab=history'],
    [`${guild}/ledger/640478151`, ''],
    [`${guild}/me`, ''],
    [`${guild}/me`, '?range=7d'],
    [`${guild}/keys`, ''],
  ])('of %s%s are those that the page reads', async (pathname, search) => {
    const place = guildPlaceOf(pathname);
    if (!place) throw new Error('The address is of no guild');
    const client = new QueryClient({ defaultOptions: { queries: { retry: false } } });
    await Promise.all([client.prefetchQuery(sessionQuery), client.prefetchQuery(guildsQuery)]);
    await loadPageData(client, place, new URLSearchParams(search));
    expect(firstPaths({ pathname, search }).toSorted()).toEqual(sent.toSorted());
  });

  test.each(['/dashboard/sign-in', '/dashboard/commands', '/docs'])('of %s are none', (pathname) => {
    expect(firstPaths({ pathname, search: '' })).toEqual([]);
  });
});

describe('the requests that need a right', () => {
  const guildId = '1491363316481801678';
  const answerOf = (may: string[]) =>
    Promise.resolve(
      Response.json({
        success: true,
        data: [
          { guildId: '1', may: ['keys.read'] },
          { guildId, may },
        ],
      }),
    );

  /** Modules of their own, because they remember that the page took its first answers. */
  async function loadModules() {
    vi.resetModules();
    const { sendAllowed } = await import('../src/app/send-allowed.ts');
    return { sendAllowed, ...(await import('../src/api/first-answers.ts')) };
  }

  test('are those of the queries that the overview sends', async () => {
    const { sendAllowed } = await loadModules();
    await sendAllowed(answerOf(['keys.read', 'webhooks.read']), guildId);
    const first = sent.splice(0);
    const client = new QueryClient({ defaultOptions: { queries: { retry: false } } });
    await Promise.all([
      client.prefetchQuery(keysQuery(guildId)),
      client.prefetchQuery(refusalJumpsQuery(guildId)),
      client.prefetchQuery(webhooksQuery(guildId)),
    ]);
    expect(first.toSorted()).toEqual(sent.toSorted());
  });

  test.each([
    [['webhooks.read'], ['/guilds/1491363316481801678/webhooks']],
    [['ledger.read'], []],
  ])('are sent for the rights %j in this guild', async (may, paths) => {
    const { sendAllowed } = await loadModules();
    await sendAllowed(answerOf(may), guildId);
    expect(sent).toEqual(paths);
  });

  test('leave the list of guilds to the page', async () => {
    const { sendAllowed, sendFirst, takeFirst } = await loadModules();
    const own = sendAllowed(sendFirst('/guilds'), guildId);
    const answer = await takeFirst('/guilds');
    await own;
    await expect(answer?.json()).resolves.toEqual({ success: true, data: [] });
  });

  test('are not sent when the page has begun to send its own', async () => {
    const { sendAllowed, takeFirst } = await loadModules();
    takeFirst('/guilds');
    await sendAllowed(answerOf(['keys.read', 'webhooks.read']), guildId);
    expect(sent).toEqual([]);
  });
});

describe('a first answer', () => {
  test('is given out once', async () => {
    sendFirst('/guilds');
    await expect(takeFirst('/guilds')).resolves.toBeInstanceOf(Response);
    expect(takeFirst('/guilds')).toBeUndefined();
  });

  test('is used by the query of the same path instead of another request', async () => {
    sendFirst('/guilds');
    const client = new QueryClient();
    await client.fetchQuery(guildsQuery);
    await client.invalidateQueries();
    await client.fetchQuery({ ...guildsQuery, staleTime: 0 });
    expect(sent).toEqual(['/guilds', '/guilds']);
  });

  test('is dropped when it is outdated', () => {
    vi.useFakeTimers({ toFake: ['performance'] });
    sendFirst('/guilds');
    vi.advanceTimersByTime(10_001);
    expect(takeFirst('/guilds')).toBeUndefined();
  });

  test('that failed is a failure of its reader', async () => {
    vi.stubGlobal('fetch', () => Promise.reject(new TypeError('no network')));
    sendFirst('/guilds');
    await expect(takeFirst('/guilds')).rejects.toThrow('no network');
  });
});
