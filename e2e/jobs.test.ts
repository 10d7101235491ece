import { parse } from 'csv-parse/sync';
import { expect, test } from 'vitest';
import { findViolations } from './support/axe.ts';
import { openPage, useChromium } from './support/browser.ts';
import { clicksOf } from './support/clicks.ts';
import { useDemo } from './support/demo.ts';
import {
  askRoute,
  guildPagePath,
  makeKey,
  openGuildPage,
  readDownload,
  samplePerson,
} from './support/guild-pages.ts';
import { openLedger, toNumber } from './support/ledger.ts';
import { waitMs } from './support/patience.ts';
import { readLedger, rowOf, waitUntilLoaded } from './support/steps.ts';
import { visit } from './support/visit.ts';

// The jobs that people come for, each with the clicks that it may take. Fields are filled by keys: a form puts the cursor into
// its first field, and the Tab key leads on.

useChromium();
const demo = useDemo();

/** A day of the month before this one. */
const monthMs = new Date().setUTCDate(0);

test('the top spender of last month takes two clicks without scrolling, and the page fits two screens', async () => {
  const page = await openPage(demo, { viewport: { width: 1440, height: 900 } });
  await openGuildPage(page, '');
  // The address ends with a slash.
  const open = page.getByRole('navigation', { name: 'Main' }).locator('[aria-current="page"]');
  await expect.poll(() => open.allInnerTexts(), { timeout: waitMs }).toEqual(['Overview']);
  const spenders = page
    .locator('section')
    .filter({ has: page.getByRole('heading', { name: 'Top spenders' }) });
  const clicks = await clicksOf(page, async () => {
    await page.getByRole('button', { name: /^Date range/ }).click();
    await page.getByRole('button', { name: 'Last month' }).click();
    await page.getByRole('button', { name: 'Date range: Last month', exact: true }).waitFor();
    await waitUntilLoaded(page);
    const box = await spenders.getByRole('listitem').first().boundingBox();
    expect((box?.y ?? 900) + (box?.height ?? 0)).toBeLessThan(900);
  });
  expect(clicks).toBe(2);
  expect(await page.evaluate(() => window.scrollY)).toBe(0);
  // These are figures of the end of the range, like all others.
  for (const label of ['Guild total', 'Accounts']) {
    const tile = page.locator('dl > div').filter({ hasText: label }).first();
    await tile.getByText(/^At the end of /).waitFor();
  }
  await page.getByText(/ compared with .*\d+ days each\./).waitFor();
  await waitUntilLoaded(page);
  expect(await page.evaluate(() => document.documentElement.scrollHeight)).toBeLessThanOrEqual(1_800);
});

test('a correction takes three clicks and no arithmetic, and the two transactions link to each other', async () => {
  const page = await openPage(demo);
  await openLedger(page);
  const row = page.getByRole('table').getByRole('row').nth(1);
  const total = toNumber(await row.locator('strong').innerText());
  const drawer = page.getByRole('dialog', { name: /^(Deposit|Withdrawal)$/ });
  const dialog = page.getByRole('dialog', { name: 'Correct the transaction' });
  let id = '';
  const clicks = await clicksOf(page, async () => {
    await row.click();
    id = await drawer.locator('code').last().innerText();
    await drawer.getByRole('button', { name: 'Correct' }).click();
    await dialog.getByLabel('What should the total have been?').and(page.locator(':focus')).waitFor();
    await dialog.getByLabel('What should the total have been?').fill(String(Math.abs(total) + 1));
    await dialog.getByText(total < 0 ? '−1' : '+1', { exact: true }).waitFor();
    expect(await findViolations(page, 'the correction')).toEqual([]);
    await dialog.getByRole('button', { name: 'Post the correction' }).click();
    await dialog.waitFor({ state: 'detached' });
  });
  expect(clicks).toBe(3);
  await drawer.getByText('Corrected', { exact: true }).waitFor();
  await drawer.getByText('With corrections').waitFor();
  const link = (label: string) =>
    drawer.locator('dl > div').filter({ hasText: label }).getByRole('button', { name: 'Show it' });
  await link('Corrected by').click();
  await drawer.getByText('Correction', { exact: true }).waitFor();
  await link('Corrects').click();
  await drawer.locator('code').last().getByText(id, { exact: true }).waitFor();
  await page.keyboard.press('Escape');
  await page.getByRole('table').getByText('Corrected', { exact: true }).first().waitFor();
});

test('a payout to a chat role takes five clicks', async () => {
  const page = await openPage(demo);
  await openLedger(page);
  const dialog = page.getByRole('dialog', { name: 'Payout' });
  const clicks = await clicksOf(page, async () => {
    await page.getByRole('button', { name: 'New', exact: true }).click();
    await page.getByRole('menuitem', { name: 'Payout to many' }).click();
    await dialog.getByText('A chat role', { exact: true }).click();
    await dialog.getByRole('button', { name: 'Officers' }).click();
    await dialog.getByText('10 people', { exact: true }).waitFor();
    await dialog.getByRole('textbox', { name: 'Name', exact: true }).fill('Officers’ pay');
    await dialog.getByLabel('Amount for each').fill('12.5');
    await dialog.getByText('125', { exact: true }).waitFor();
    await dialog.getByRole('button', { name: 'Pay 10 people' }).click();
    await page.getByText('Paid out').waitFor();
  });
  expect(clicks).toBe(5);
});

test('the balance of a person on a date takes two clicks from the list, and a statement ends with it', async () => {
  const page = await openPage(demo);
  const { playerId, username } = samplePerson;
  await openGuildPage(page, `people?query=${username}`);
  const day = new Date(Date.now() - 30 * 86_400_000).toISOString().slice(0, 10);
  const at = new Date(Date.parse(`${day}T24:00:00Z`) - 1).toISOString();
  const clicks = await clicksOf(page, async () => {
    await page.getByRole('button', { name: new RegExp(`^${username}`) }).click();
    await page.getByLabel('Balance on a day').click();
    await page.getByLabel('Balance on a day').fill(day);
    await page.getByText('at the end of').waitFor();
  });
  expect(clicks).toBe(2);
  const { body } = await askRoute(page, `players/${playerId}/balance?at=${at}`);
  const { balance } = (body as { data: { balance: string } }).data;
  const readShown = async () => (await page.locator('output strong').textContent()) ?? '';
  await expect.poll(async () => toNumber(await readShown()), { timeout: waitMs }).toBe(Number(balance));
  const shown = await readShown();

  await visit(page, guildPagePath(`people/${playerId}?tab=statement&until=${day}`));
  const closing = page.getByRole('row', { name: /Closing balance/ }).getByRole('cell');
  await expect.poll(() => closing.last().textContent(), { timeout: waitMs }).toBe(shown);
  await page.emulateMedia({ media: 'print' });
  await page.getByRole('button', { name: 'Print' }).waitFor({ state: 'hidden' });
  expect(await page.getByRole('navigation').count()).toBe(0);
});

test('a read-only role for a person whom the guild knows takes four clicks', async () => {
  const page = await openPage(demo);
  await openGuildPage(page, 'roles');
  await page.getByRole('region', { name: 'Access through the chat platform' }).getByText('Owner').waitFor();
  const dialog = page.getByRole('dialog');
  const people = page.getByRole('region', { name: 'People' });
  const clicks = await clicksOf(page, async () => {
    await page.getByRole('button', { name: 'Invite somebody' }).click();
    await dialog.getByLabel('Find a person').click();
    await page.getByRole('option').first().click();
    const chatId = await dialog.getByLabel('Chat id').inputValue();
    expect(chatId).toMatch(/^\d+$/);
    await dialog.getByRole('button', { name: 'Give the role' }).click();
    const row = people.getByRole('listitem').filter({ hasText: chatId });
    await row.getByText(/^Given .* by/).waitFor();
    await row.getByText('Viewer').waitFor();
  });
  expect(clicks).toBe(4);
});

test('why the post of a bot was refused takes two clicks, and one more shows how to mend it', async () => {
  const page = await openPage(demo);
  await openGuildPage(page, '');
  const value = await makeKey(page, 'Vending bot');
  const refused = await fetch(`${demo.address}/guild/ledger`, {
    method: 'POST',
    headers: { 'x-api-key': value, 'content-type': 'application/json' },
    body: JSON.stringify({ playerId: '1', name: 'Apple', quantity: 1, amount: 2, source: 'vending' }),
  });
  expect(refused.status).toBe(403);
  const row = page.getByRole('row').filter({ hasText: 'Vending bot' }).filter({ hasText: '/guild/ledger' });
  const clicks = await clicksOf(page, async () => {
    await page.getByRole('navigation', { name: 'Main' }).getByRole('link', { name: 'API keys' }).click();
    await page.getByRole('link', { name: 'Requests', exact: true }).click();
    await row.getByText('A scope was missing').waitFor();
  });
  expect(clicks).toBe(2);
  await row.click();
  const details = page.getByRole('dialog', { name: 'Request' });
  await details
    .getByRole('region', { name: 'Why it was refused' })
    .getByText('guild:write')
    .first()
    .waitFor();
  await details.getByText(refused.headers.get('x-request-id') ?? 'an id').waitFor();
});

test('a person is found by the beginning of the name with two clicks, wherever one is', async () => {
  const page = await openPage(demo);
  const { playerId, username } = samplePerson;
  await openGuildPage(page, 'settings');
  const clicks = await clicksOf(page, async () => {
    await page
      .getByRole('banner')
      .getByRole('button', { name: /^Search people/ })
      .first()
      .click();
    await page.getByRole('textbox', { name: /^Search people/ }).fill(username.slice(0, -1).toUpperCase());
    await page.getByRole('button', { name: new RegExp(`Player ${playerId}`) }).click();
    await page.getByRole('heading', { name: username, level: 1 }).waitFor();
  });
  expect(clicks).toBe(2);
});

test('a key with limits takes four clicks, and holds to them from the start', async () => {
  const page = await openPage(demo);
  await openGuildPage(page, 'keys');
  const dialog = page.getByRole('dialog');
  let value = '';
  const clicks = await clicksOf(page, async () => {
    await page.getByRole('button', { name: 'Create key' }).first().click();
    await dialog.getByLabel('Name').fill('Limited from the start');
    await dialog.getByText('Limits and allowed addresses').click();
    await dialog.getByLabel('Largest amount').fill('12.5');
    await dialog.getByLabel('Allowed addresses').fill('203.0.113.7');
    await dialog.getByRole('button', { name: 'Create key' }).click();
    value = await page.getByTestId('key-value').innerText();
    await page.getByText('If the value is lost, rotate the key').waitFor();
    await page.getByRole('button', { name: 'I have stored it' }).click();
    await rowOf(page, 'Limited from the start').getByText('Limited · Bound to addresses').waitFor();
  });
  expect(clicks).toBe(4);
  expect(await readLedger(demo, value)).toBe(401);
});

test('an export of last month takes three clicks, and has the same rows for viewers in every time zone', async () => {
  const page = await openPage(demo, { timezoneId: 'Asia/Tokyo' });
  const { guildPath } = await openLedger(page);
  await page.getByText('Days are in UTC, times in Asia/Tokyo.').waitFor();
  const label = new Intl.DateTimeFormat('en-GB', { month: 'short', year: 'numeric' }).format(monthMs);
  const waiting = page.waitForEvent('download');
  const clicks = await clicksOf(page, async () => {
    await page.getByRole('button', { name: /^Date range/ }).click();
    await page.getByRole('button', { name: label }).click();
    // The export has the range that the page shows, so the page has to show the month first.
    await page.getByRole('button', { name: `Date range: ${label}`, exact: true }).waitFor();
    await page.getByRole('link', { name: 'Export CSV' }).click();
  });
  expect(clicks).toBe(3);
  const rows: Record<string, string>[] = parse(await readDownload(await waiting), {
    columns: true,
    bom: true,
  });
  expect(rows.length).toBeGreaterThan(50);
  const month = new Date(monthMs).toISOString().slice(0, 7);
  const isOfMonth = (createdAt = '') => createdAt.startsWith(month) && createdAt.endsWith('+00:00');
  expect(rows.filter(({ createdAt }) => !isOfMonth(createdAt)).slice(0, 5)).toEqual([]);
  const found = `${rows.length.toLocaleString('en')} transactions found`;
  await page.getByRole('status').getByText(found).waitFor();
  const { search } = new URL(page.url());
  const elsewhere = await openPage(demo, { timezoneId: 'America/New_York' });
  await openGuildPage(elsewhere, `ledger${search}`, 'administrator');
  await elsewhere.getByRole('status').getByText(found).waitFor();
  // Other pages keep the range, and the link back to the ledger keeps its filters.
  // Each page is waited for: the one before it stays, with links of the same names, until the next one is drawn.
  await page.getByRole('link', { name: 'Overview' }).click();
  await page.getByRole('heading', { name: 'Overview', level: 1 }).waitFor();
  await page.getByRole('button', { name: `Date range: ${label}`, exact: true }).waitFor();
  const tile = page.locator('dl > div').filter({ hasText: 'Transactions' }).first();
  await tile.getByRole('link', { name: rows.length.toLocaleString('en'), exact: true }).waitFor();
  await visit(page, `${guildPath}/people/${samplePerson.playerId}${search}`);
  await page.getByText(`Money in, ${label}`, { exact: true }).waitFor();
  await visit(page, `${guildPath}/ledger?from=shop&range=90d`);
  await page.getByRole('button', { name: 'Date range: Last 90 days', exact: true }).waitFor();
  await page.getByRole('table', { name: 'Transactions of this guild' }).getByRole('link').first().click();
  await page.getByRole('main').getByRole('link', { name: 'Ledger' }).click();
  await page.waitForURL('**/ledger?from=shop&range=90d');
});
