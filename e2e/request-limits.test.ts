import type { BrowserContext, Page, Response } from 'playwright-core';
import { expect, test } from 'vitest';
import { openBrowser, openPage, useChromium } from './support/browser.ts';
import { useDemo } from './support/demo.ts';
import { guildPagePath, openGuildPage, samplePerson } from './support/guild-pages.ts';
import { waitUntilLoaded } from './support/steps.ts';
import { visit } from './support/visit.ts';

useChromium();
const demo = useDemo();

const paths = [
  '',
  'ledger',
  'discharges',
  'transfers',
  'people',
  'keys',
  'webhooks',
  'roles',
  'audit',
  'settings',
  'board',
];
const postsOfABusyGuild = 60;

interface Usage {
  /** The largest part of each limit that was used at any moment, by the limit's size. */
  largest: Map<number, number>;
  refused: string[];
  /** Requests of the session since the last look. */
  takeCount: () => number;
}

/** Follows what the service says of the person's limits. */
function watchLimits(context: BrowserContext): Usage {
  const usage = { largest: new Map<number, number>(), refused: [] as string[] };
  let count = 0;
  context.on('response', (response: Response) => {
    const { 'x-ratelimit-limit': limit, 'x-ratelimit-remaining': remaining } = response.headers();
    if (limit === undefined || !response.url().includes('/dashboard/api/')) return;
    count += 1;
    if (response.status() === 429) usage.refused.push(response.url());
    const used = Number(limit) - Number(remaining);
    usage.largest.set(Number(limit), Math.max(used, usage.largest.get(Number(limit)) ?? 0));
  });
  return {
    ...usage,
    takeCount() {
      const taken = count;
      count = 0;
      return taken;
    },
  };
}

/** Posts with the demo's own key as fast as the limit of a key allows. */
async function postSteadily(): Promise<void> {
  const key = /gbk_\w+/.exec(demo.output())?.[0] ?? '';
  const { playerId } = samplePerson;
  for (let posted = 0; posted < postsOfABusyGuild; ) {
    const answer = await fetch(`${demo.address}/guild/ledger`, {
      method: 'POST',
      headers: { 'x-api-key': key, 'content-type': 'application/json' },
      body: JSON.stringify({ playerId, name: 'Busy', quantity: 1, amount: 1, source: 'shop' }),
    });
    if (answer.status === 200) posted += 1;
    else await new Promise((resolve) => setTimeout(resolve, 100));
  }
}

/** Hides the columns of the ledger one after the other; each is a change of the person's preferences. */
async function toggleColumns(page: Page): Promise<void> {
  await page.getByRole('row').nth(1).waitFor();
  await page.getByRole('button', { name: 'Columns' }).click();
  const choices = page.getByRole('menuitemcheckbox');
  await choices.first().waitFor();
  for (const choice of await choices.all()) {
    const saved = page.waitForResponse((response) => response.request().method() === 'PUT');
    await choice.click();
    await saved;
  }
  await page.keyboard.press('Escape');
}

/** Looks for something in the palette, letter by letter, slowly enough for each to be asked for. */
async function searchWhileTyping(page: Page): Promise<void> {
  await page.keyboard.press('Control+k');
  const field = page.getByRole('textbox', { name: /^Search people, records/ });
  await field.waitFor();
  await field.pressSequentially(samplePerson.username, { delay: 250 });
  await page.keyboard.press('Escape');
}

test('busy use of the pages stays below a fifth of what a person may ask for', async () => {
  const context = await openBrowser(demo);
  const usage = watchLimits(context);
  const page = await context.newPage();
  await openGuildPage(page, '');
  await waitUntilLoaded(page);
  const counts = new Map<string, number>([['first load', usage.takeCount()]]);
  for (const path of paths) {
    await page.goto(guildPagePath(path));
    await page.getByRole('heading', { level: 1 }).waitFor();
    await waitUntilLoaded(page);
    counts.set(`/${path}`, usage.takeCount());
  }
  await page.goto(guildPagePath('ledger'));
  await waitUntilLoaded(page);
  await toggleColumns(page);
  counts.set('columns', usage.takeCount());
  await searchWhileTyping(page);
  counts.set('typing', usage.takeCount());
  const others = await Promise.all(
    ['', 'ledger', `ledger/${samplePerson.playerId}`].map(async (path) => {
      const other = await context.newPage();
      await other.goto(guildPagePath(path));
      await waitUntilLoaded(other);
      return other;
    }),
  );
  counts.set('three tabs at once', usage.takeCount());
  await postSteadily();
  counts.set('three live tabs of a busy guild', usage.takeCount());
  await others[1]?.bringToFront();
  const download = others[1]?.waitForEvent('download');
  await others[1]?.getByRole('link', { name: 'Export CSV' }).click();
  await download;
  console.info('Requests of a session:', Object.fromEntries(counts), Object.fromEntries(usage.largest));
  expect(usage.refused).toEqual([]);
  for (const [limit, used] of usage.largest) expect(used).toBeLessThan(limit / 5);
  // Reads, pictures and changes have a limit each.
  expect(usage.largest.size).toBe(3);
});

test('a page that is refused says so, waits as long as it is asked to, and goes on by itself', async () => {
  const page = await openPage(demo);
  await openGuildPage(page, 'discharges');
  const askedAtMs: number[] = [];
  await page.route('**/dashboard/api/guilds/*/transfers?*', async (route) => {
    askedAtMs.push(performance.now());
    if (askedAtMs.length > 1) return route.continue();
    const message = 'Too many requests - limit is 600 requests per 10 seconds';
    const json = { success: false, message, code: 'rate_limited' };
    await route.fulfill({ status: 429, headers: { 'retry-after': '2' }, json });
  });
  // The notice disappears after two seconds, so the test starts to wait for it before the page is opened.
  const notice = page.getByText('It goes on by itself in 2 seconds').waitFor();
  await visit(page, guildPagePath('transfers'));
  await notice;
  await page.getByRole('table').getByRole('row').nth(1).waitFor();
  const [first = 0, second = 0] = askedAtMs;
  expect(second - first).toBeGreaterThanOrEqual(2_000);
});
