import type { Page } from 'playwright-core';
import { expect, test } from 'vitest';
import { openBrowser, openPage, useChromium } from './support/browser.ts';
import { useDemo } from './support/demo.ts';
import {
  guildPagePath,
  newTransfer,
  openGuildPage,
  samplePerson,
  sendChanges,
} from './support/guild-pages.ts';
import { waitMs } from './support/patience.ts';
import { waitUntilLoaded } from './support/steps.ts';

useChromium();
const demo = useDemo();

/** Posts with the demo's own key, as a game server does. */
async function post(name: string): Promise<void> {
  const key = /gbk_\w+/.exec(demo.output())?.[0] ?? '';
  const { playerId } = samplePerson;
  const answer = await fetch(`${demo.address}/guild/ledger`, {
    method: 'POST',
    headers: { 'x-api-key': key, 'content-type': 'application/json' },
    body: JSON.stringify({ playerId, name, quantity: 1, amount: 1, source: 'shop' }),
  });
  expect(answer.status).toBe(200);
}

const shows = (page: Page, name: string) => page.getByRole('main').getByText(name).first().waitFor();

test('what is posted elsewhere shows on open pages, which share one stream and take it over', async () => {
  const context = await openBrowser(demo);
  const opened: string[] = [];
  context.on('request', (request) => request.url().includes('/events') && opened.push(request.url()));
  const ledger = await context.newPage();
  await openGuildPage(ledger, 'ledger');
  const player = await context.newPage();
  await player.goto(guildPagePath(`ledger/${samplePerson.playerId}`));
  const overview = await context.newPage();
  await overview.goto(guildPagePath(''));
  await Promise.all([ledger, player, overview].map(waitUntilLoaded));
  const figuresBefore = await overview.getByRole('main').innerText();

  await post('Seen at once');
  await player.bringToFront();
  await shows(player, 'Seen at once');
  await ledger.bringToFront();
  await shows(ledger, 'Seen at once');
  await overview.bringToFront();
  await expect
    .poll(() => overview.getByRole('main').innerText(), { timeout: waitMs })
    .not.toBe(figuresBefore);
  expect(opened).toHaveLength(1);

  await ledger.close();
  await expect.poll(() => opened, { timeout: waitMs }).toHaveLength(2);
  // The page that opens the next stream asks for the transactions since the last event.
  expect(new URL(opened[1] ?? '').searchParams.get('after')).toMatch(/^\d+$/);
  await player.bringToFront();
  await post('Seen by the next');
  await shows(player, 'Seen by the next');
});

test('without a stream the pages ask by themselves', async () => {
  const page = await openPage(demo);
  await page.route('**/events*', (route) => route.abort());
  await page.clock.install();
  await openGuildPage(page, 'ledger');
  await waitUntilLoaded(page);
  await post('Asked for');
  await page.clock.fastForward('01:00');
  await shows(page, 'Asked for');
});

/** Pages about the transfers of the sample person: the list, the person's own page and the log. */
const pagesWithTransfers = ['transfers', `people/${samplePerson.playerId}?tab=records`, 'audit'];

/** Adds a transfer of the sample person, as a colleague in another browser. */
async function addTransfer(colleague: Page, id: string): Promise<void> {
  const body = {
    ...newTransfer,
    id,
    playerId: samplePerson.playerId,
    name: id,
    date: new Date().toISOString(),
  };
  expect(await sendChanges(colleague, [{ method: 'POST', route: 'transfers', body }])).toEqual([200]);
}

test('a colleague’s change shows on the page of a person, in the list of records and in the log', async () => {
  const opened = await Promise.all(
    pagesWithTransfers.map(async (path) => {
      const page = await openPage(demo);
      await openGuildPage(page, path);
      await waitUntilLoaded(page);
      return page;
    }),
  );
  const colleague = await openPage(demo);
  await openGuildPage(colleague, '', 'administrator');
  await addTransfer(colleague, 'Told to all');
  for (const page of opened) await shows(page, 'Told to all');
});

/** Puts the page into the background or back to the front, as a change of the tab does. */
async function putTo(page: Page, visibilityState: 'hidden' | 'visible'): Promise<void> {
  await page.evaluate((value) => {
    Object.defineProperty(document, 'visibilityState', { configurable: true, value });
    document.dispatchEvent(new Event('visibilitychange', { bubbles: true }));
  }, visibilityState);
}

test.each([
  // The data of a first page counts as new for some seconds, but not for a page that was hidden.
  ['at once', 1_000],
  ['after a minute', 60_000],
])(
  'a page that was in the background shows a colleague’s change when it is looked at again %s',
  async (_when, awayMs) => {
    const colleague = await openPage(demo);
    await openGuildPage(colleague, '', 'administrator');
    for (const [place, path] of pagesWithTransfers.entries()) {
      const page = await openPage(demo);
      const openedMs = Date.now();
      await page.clock.setFixedTime(openedMs);
      // The page does not learn of the change by the live stream, nor by the polling that replaces it.
      await page.route('**/events*', (route) => route.abort());
      await page.addInitScript(() => {
        window.setInterval = (() => 0) as unknown as typeof window.setInterval;
      });
      await openGuildPage(page, path);
      await waitUntilLoaded(page);
      await putTo(page, 'hidden');
      const name = `Made meanwhile, ${place} ${awayMs}`;
      await addTransfer(colleague, name);
      await page.clock.setFixedTime(openedMs + awayMs);
      await putTo(page, 'visible');
      await shows(page, name);
    }
  },
);

test('a colleague’s change shows on open pages, and pages without a connection say so and go on', async () => {
  const page = await openPage(demo);
  await openGuildPage(page, 'transfers');
  await waitUntilLoaded(page);
  const colleague = await openPage(demo);
  await openGuildPage(colleague, '', 'administrator');
  const body = { ...newTransfer, id: 'seen-at-once', name: 'Seen at once', date: new Date().toISOString() };
  expect(await sendChanges(colleague, [{ method: 'POST', route: 'transfers', body }])).toEqual([200]);
  await shows(page, 'Seen at once');

  await page.context().setOffline(true);
  await page.getByText('You are offline').waitFor();
  await page.getByRole('link', { name: 'Roles' }).click();
  await page.getByRole('main').getByText('No connection').waitFor();
  await page.context().setOffline(false);
  await page.getByText('You are offline').waitFor({ state: 'hidden' });
  await page.getByRole('main').getByText('No connection').waitFor({ state: 'hidden' });
  await waitUntilLoaded(page);
});
