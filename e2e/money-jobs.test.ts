import { parse } from 'csv-parse/sync';
import { expect, test } from 'vitest';
import { findViolations } from './support/axe.ts';
import { openPage, useChromium } from './support/browser.ts';
import { useDemo } from './support/demo.ts';
import {
  askRoute,
  guildPagePath,
  makeKey,
  openGuildPage,
  readDownload,
  samplePerson,
  sendChanges,
} from './support/guild-pages.ts';
import { openLedger, readChartTable, toNumber } from './support/ledger.ts';
import { waitMs } from './support/patience.ts';
import { visit } from './support/visit.ts';

useChromium();
const demo = useDemo();

interface Listed {
  transactions: { transactionId: string; name: string; createdAt: string }[];
  total: number;
}

test('a month is exported in three clicks, and has the same rows for viewers in every time zone', async () => {
  const page = await openPage(demo, { timezoneId: 'America/New_York' });
  const { guildPath } = await openLedger(page);
  await page.getByText('Days are in UTC, times in America/New_York.').waitFor();
  // The zone of one's own goes before the browser's, and is kept on the server.
  await page.getByRole('button', { name: /^Account of/ }).click();
  await page.getByRole('menuitem', { name: /^Time zone/ }).click();
  const dialog = page.getByRole('dialog', { name: 'Time zone' });
  await dialog.getByRole('combobox').fill('Asia/Tokyo');
  await page.getByRole('option', { name: 'Asia/Tokyo' }).click();
  await dialog.getByRole('button', { name: 'Save' }).click();
  await page.getByText('Days are in UTC, times in Asia/Tokyo.').waitFor();
  await page.reload();
  await page.getByText('Days are in UTC, times in Asia/Tokyo.').waitFor();

  const monthMs = new Date().setUTCDate(0);
  const month = new Date(monthMs).toISOString().slice(0, 7);
  const label = new Intl.DateTimeFormat('en-GB', { month: 'short', year: 'numeric' }).format(monthMs);
  await page.getByRole('button', { name: /^Date range/ }).click();
  await page.getByRole('button', { name: label }).click();
  // The export has the range that the page shows, so the page has to show the month first.
  await page.getByRole('button', { name: `Date range: ${label}`, exact: true }).waitFor();
  const waiting = page.waitForEvent('download');
  await page.getByRole('link', { name: 'Export CSV' }).click();
  const rows: Record<string, string>[] = parse(await readDownload(await waiting), {
    columns: true,
    bom: true,
  });
  expect(rows.length).toBeGreaterThan(50);
  const isOfMonth = (createdAt = '') => createdAt.startsWith(month) && createdAt.endsWith('+00:00');
  expect(rows.filter(({ createdAt }) => !isOfMonth(createdAt)).slice(0, 5)).toEqual([]);
  await page
    .getByRole('status')
    .getByText(`${rows.length.toLocaleString('en')} transactions found`)
    .waitFor();
  const { search } = new URL(page.url());
  const elsewhere = await openPage(demo, { timezoneId: 'America/New_York' });
  await openGuildPage(elsewhere, `ledger${search}`, 'administrator');
  await elsewhere
    .getByRole('status')
    .getByText(`${rows.length.toLocaleString('en')} transactions found`)
    .waitFor();
  // Other pages keep the range, and the link back to the ledger keeps its filters.
  // Each page is waited for: the one before it stays, with links of the same names, until the next one is drawn.
  await page.getByRole('link', { name: 'Overview' }).click();
  await page.getByRole('heading', { name: 'Overview', level: 1 }).waitFor();
  await page.getByRole('button', { name: `Date range: ${label}`, exact: true }).waitFor();
  const tile = page.locator('dl > div').filter({ hasText: 'Transactions' }).first();
  await tile.getByRole('link', { name: rows.length.toLocaleString('en'), exact: true }).waitFor();
  await visit(page, `${guildPath}/ledger?from=shop&range=90d`);
  await page.getByRole('button', { name: 'Date range: Last 90 days', exact: true }).waitFor();
  await page.getByRole('table', { name: 'Transactions of this guild' }).getByRole('link').first().click();
  await page.getByRole('main').getByRole('link', { name: 'Ledger' }).click();
  await page.waitForURL('**/ledger?from=shop&range=90d');
});

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

test('the days of the audit log are those of the guild, and the times of a chart those of the page’s time zone', async () => {
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
});

test('the top spender of last month is two clicks away without scrolling, and the page fits two screens', async () => {
  const page = await openPage(demo, { viewport: { width: 1440, height: 900 } });
  await openGuildPage(page, '');
  await page.getByRole('button', { name: /^Date range/ }).click();
  await page.getByRole('button', { name: 'Last month' }).click();
  await page.getByRole('button', { name: 'Date range: Last month', exact: true }).waitFor();
  const spenders = page
    .locator('section')
    .filter({ has: page.getByRole('heading', { name: 'Top spenders' }) });
  const box = await spenders.getByRole('listitem').first().boundingBox();
  expect((box?.y ?? 900) + (box?.height ?? 0)).toBeLessThan(900);
  expect(await page.evaluate(() => window.scrollY)).toBe(0);
  // The total is that of the end of the range, like all other figures.
  const total = page.locator('dl > div').filter({ hasText: 'Guild total' }).first();
  await total.getByText(/^At the end of /).waitFor();
  await page.getByText(/ compared with .*\d+ days each\./).waitFor();
  expect(await page.evaluate(() => document.documentElement.scrollHeight)).toBeLessThanOrEqual(1_800);
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

test('a correction shows the balance as it is, and one below zero waits for a word; a mistake is undone', async () => {
  const page = await openPage(demo);
  const { guildPath, players } = await openLedger(page);
  const player = players.at(-1);
  const route = `players/${player?.playerId}/transactions`;
  await visit(page, `${guildPath}/ledger/${player?.playerId}`);
  await page.getByRole('button', { name: 'New transaction' }).click();
  const dialog = page.getByRole('dialog', { name: 'New transaction' });
  const balanceNow = async () => toNumber((await dialog.locator('dl dd > span').first().textContent()) ?? '');
  const before = await balanceNow();
  // Somebody else posts meanwhile.
  const other = { method: 'POST', route, body: { name: 'Meanwhile', quantity: 1, amount: 5 } };
  expect(await sendChanges(page, [other])).toEqual([200]);
  await expect.poll(balanceNow, { timeout: waitMs }).toBeCloseTo(before + 5, 4);

  await dialog.getByText('Withdrawal', { exact: true }).click();
  await dialog.getByLabel('Name').fill('Far too much');
  await dialog.getByLabel('Amount each').fill('1,000,000.5');
  const post = dialog.getByRole('button', { name: 'Post the withdrawal' });
  await expect.poll(() => post.isDisabled(), { timeout: waitMs }).toBe(true);
  await dialog.getByRole('checkbox', { name: /falls below zero/ }).check();
  await post.click();
  await dialog.waitFor({ state: 'detached' });

  // The job: undo it, from the list to the end in four steps.
  await page
    .getByRole('button', { name: /^Far too much/ })
    .first()
    .click();
  await page.getByRole('dialog', { name: 'Withdrawal' }).getByRole('button', { name: 'Reverse' }).click();
  await page
    .getByRole('dialog', { name: 'Reverse the transaction' })
    .getByRole('button', { name: 'Reverse' })
    .click();
  await page.getByText('Transaction reversed').waitFor();
  const { body } = await askRoute(page, `players/${player?.playerId}`);
  expect(Number((body as { data: { balance: string } }).data.balance)).toBeCloseTo(before + 5, 4);
});
