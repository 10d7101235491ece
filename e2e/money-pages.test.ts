import { expect, test } from 'vitest';
import { findViolations } from './support/axe.ts';
import { openPage, useChromium } from './support/browser.ts';
import { useDemo } from './support/demo.ts';
import {
  askRoute,
  guildPagePath,
  makeKey,
  openGuildPage,
  samplePerson,
  sendChanges,
} from './support/guild-pages.ts';
import { openLedger, readChartTable } from './support/ledger.ts';
import { waitMs } from './support/patience.ts';
import { visit } from './support/visit.ts';

useChromium();
const demo = useDemo();

interface Listed {
  transactions: { transactionId: string; name: string; createdAt: string }[];
  total: number;
}

/** A zone in which it is another day than in UTC, now and in the next hour. */
const zoneOfAnotherDay = () => (new Date().getUTCHours() < 11 ? 'Etc/GMT+12' : 'Pacific/Kiritimati');

const minutesMs = 60_000;

/** How far a time of day such as `23:50` is from a moment in a zone, going either way around the clock. */
function minutesBetween(clockTime: string, momentMs: number, timeZone: string): number {
  const format = new Intl.DateTimeFormat('en-GB', { hour: '2-digit', minute: '2-digit', timeZone });
  const [shown = 0, expected = 0] = [clockTime, format.format(momentMs)].map((text) => {
    const [hours = 0, minutes = 0] = text.split(':').map(Number);
    return hours * 60 + minutes;
  });
  const apart = Math.abs(shown - expected);
  return Math.min(apart, 24 * 60 - apart);
}

test('the days of the audit log are those of the guild, and times are in the zone of the browser or of the person', async () => {
  const timezoneId = zoneOfAnotherDay();
  const page = await openPage(demo, { timezoneId });
  // Somebody who has chosen no zone of their own.
  await openGuildPage(page, 'audit', 'administrator');
  await makeKey(page, 'Made today');
  const today = new Date().toISOString().slice(0, 10);
  await page.goto(guildPagePath(`audit?kind=key&since=${today}&until=${today}`));
  await page
    .getByRole('main')
    .locator('section')
    .filter({ has: page.getByRole('heading', { name: 'Today' }) })
    .locator('summary', { hasText: 'Made today' })
    .waitFor();

  const body = { name: 'In the picture', quantity: 1, amount: 1 };
  const route = `players/${samplePerson.playerId}/transactions`;
  expect(await sendChanges(page, [{ method: 'POST', route, body }])).toEqual([200]);
  const sinceMs = Date.now() - 6 * 60 * minutesMs;
  await visit(
    page,
    guildPagePath(`ledger/${samplePerson.playerId}?since=${new Date(sinceMs).toISOString()}`),
  );
  const labels = page.locator('figure svg text').filter({ hasText: /^\d\d:\d\d$/ });
  await expect.poll(() => labels.count(), { timeout: waitMs }).toBe(6);
  const [first = ''] = await labels.allTextContents();
  // The first label is the middle of the first of six hours.
  expect(minutesBetween(first, sinceMs + 30 * minutesMs, timezoneId)).toBeLessThan(60);
  const [when = ''] = (await readChartTable(page, /^Balance over time/)).at(-1) ?? [];
  const time = /\d\d:\d\d/.exec(when)?.[0] ?? '';
  expect(minutesBetween(time, Date.now(), timezoneId)).toBeLessThan(60);

  // The zone of one's own goes before the browser's, and is kept on the server.
  await page.getByRole('button', { name: /^Account of/ }).click();
  await page.getByRole('menuitem', { name: /^Time zone/ }).click();
  const dialog = page.getByRole('dialog', { name: 'Time zone' });
  await dialog.getByRole('combobox').fill('Asia/Tokyo');
  await page.getByRole('option', { name: 'Asia/Tokyo' }).click();
  await dialog.getByRole('button', { name: 'Save' }).click();
  await dialog.waitFor({ state: 'detached' });
  await page.goto(guildPagePath('ledger'));
  await page.getByText('Days are in UTC, times in Asia/Tokyo.').waitFor();
});

test('why a balance changed is found from the overview, and every figure leads to exactly its rows', async () => {
  const page = await openPage(demo);
  const { player } = await openLedger(page, '?range=90d');
  const tile = page.locator('dl > div').filter({ hasText: 'Money out' }).first();
  await tile.getByRole('link').click();
  await page.waitForURL(/\/ledger\?since=.*maxAmount=0/);
  const url = new URL(page.url());
  // The addresses of pages have days, and requests have moments.
  const [since = '', until = ''] = ['since', 'until'].map((name) => url.searchParams.get(name) ?? '');
  const endMs = Date.parse(until) + 24 * 60 * minutesMs;
  const times = { since: new Date(since).toISOString(), until: new Date(endMs).toISOString() };
  const query = new URLSearchParams({ maxAmount: '0', limit: '1', ...times });
  const { total } = ((await askRoute(page, `transactions?${query}`)).body as { data: Listed }).data;
  await page
    .getByRole('status')
    .getByText(`${total.toLocaleString('en')} transactions found`)
    .waitFor();
  await page.goBack();
  await page.getByRole('heading', { name: 'Overview', level: 1 }).waitFor();

  // The job: who, then the largest move of the range, then who posted it.
  await page
    .getByRole('link', { name: player.username ?? player.playerId, exact: true })
    .first()
    .click();
  await page.getByRole('heading', { name: 'Balance over time' }).waitFor();
  await page.locator('section').filter({ hasText: 'Largest moves' }).getByRole('button').first().click();
  const drawer = page.getByRole('dialog', { name: 'Deposit' });
  await drawer.getByText('Posted by').waitFor();
  expect(await findViolations(page, 'a transaction of a player')).toEqual([]);
});

test('a link opens a transaction that is not on the page, and the list is walked from its details', async () => {
  const page = await openPage(demo);
  const { guildPath } = await openLedger(page);
  const { data } = (await askRoute(page, 'transactions?sortOrder=asc&limit=2')).body as { data: Listed };
  const oldest = data.transactions[0];
  await page.goto(`${guildPath}/ledger?record=${oldest?.transactionId}`);
  const drawer = page.getByRole('dialog', { name: /Deposit|Withdrawal/ });
  await drawer.getByText(oldest?.transactionId ?? '', { exact: true }).waitFor();
  await page.goto(`${guildPath}/ledger?record=00000000-0000-7000-8000-000000000000`);
  await page.getByRole('dialog').getByText('There is no such transaction').waitFor();

  await page.goto(`${guildPath}/ledger?sortOrder=asc`);
  await page
    .getByRole('button', { name: /show details$/ })
    .first()
    .click();
  await drawer.getByText(oldest?.transactionId ?? '', { exact: true }).waitFor();
  await drawer.getByRole('button', { name: 'Next in the list' }).click();
  await drawer.getByText(data.transactions[1]?.transactionId ?? '', { exact: true }).waitFor();
});

test('no money page has a serious or critical violation, in either colour scheme', async () => {
  const page = await openPage(demo);
  const { guildPath, player } = await openLedger(page, '');
  const found: string[] = [];
  const judge = async (place: string) => found.push(...(await findViolations(page, place)));
  await page.locator('figure svg path, figure svg rect').first().waitFor();
  await judge('overview');
  await page.getByRole('button', { name: /^Date range/ }).click();
  await page.getByRole('button', { name: 'Previous month' }).waitFor();
  await judge('range of days');
  // Few rows: they are all alike, and axe looks at every one.
  await visit(page, `${guildPath}/ledger?limit=4`);
  await page
    .getByRole('button', { name: /show details$/ })
    .first()
    .click();
  await page.getByRole('dialog').getByText('Transaction id').waitFor();
  await judge('ledger with a transaction');
  await page.keyboard.press('Escape');
  await page.getByRole('dialog').waitFor({ state: 'detached' });
  await page.getByRole('textbox', { name: 'Search' }).fill(player.username ?? player.playerId);
  await page.getByRole('button', { name: /^Remove the filter Search/ }).waitFor();
  await page.getByRole('button', { name: 'Columns' }).click();
  await page.getByRole('menuitemcheckbox').first().waitFor();
  await judge('ledger with a filter and the menu of columns');
  await visit(page, `${guildPath}/ledger/${player.playerId}?limit=4`);
  await page.locator('figure svg path, figure svg rect').first().waitFor();
  await judge('player');
  await page.getByRole('button', { name: 'New transaction' }).click();
  await page.getByRole('dialog').getByRole('button', { name: 'Post the deposit' }).click();
  await page.getByRole('dialog').getByText('Say what it is for').waitFor();
  await judge('correction');
  await page.keyboard.press('Escape');
  await page.getByRole('dialog').waitFor({ state: 'detached' });
  await page.setViewportSize({ width: 390, height: 844 });
  await page.getByRole('list', { name: 'Transactions of this player' }).waitFor();
  await judge('player on a phone');
  expect(found).toEqual([]);
});
