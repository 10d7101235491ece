import { expect, test } from 'vitest';
import { countWrongMoments } from './support/balance-picture.ts';
import { openPage, useChromium } from './support/browser.ts';
import { useDemo } from './support/demo.ts';
import { makeKey, sendChanges } from './support/guild-pages.ts';
import {
  askInterface,
  askInterfaceForAll,
  expectRows,
  expectSameAsInterface,
  openLedger,
  readChartTable,
  readRows,
  toNumber,
} from './support/ledger.ts';
import { download, transactionOf } from './support/ledger-csv.ts';
import { waitMs } from './support/patience.ts';
import { waitUntilLoaded } from './support/steps.ts';
import { visit } from './support/visit.ts';

useChromium();
const demo = useDemo();

test('filters, orders and pages show what the interface answers for the same query', async () => {
  const page = await openPage(demo);
  const { guildPath, player } = await openLedger(page);
  const key = await makeKey(page, 'Comparison');
  const { playerId } = player;
  const path = `${guildPath}/ledger/${playerId}`;
  const same = (query: string) => expectSameAsInterface(page, demo, { key, playerId, query });

  for (const query of [
    '',
    '?sortBy=amount&sortOrder=asc',
    '?sortBy=quantity&limit=50',
    '?sortBy=total&page=2',
    '?from=shop&limit=100',
    '?minAmount=5&maxAmount=50&sortBy=amount',
    '?maxAmount=0&sortBy=createdAt&sortOrder=asc',
  ]) {
    await visit(page, `${path}${query}`);
    await same(query);
  }

  await visit(page, path);
  await page.getByRole('button', { name: 'Total' }).click();
  await same('?sortBy=total');
  await page.getByRole('button', { name: 'Total' }).click();
  await same('?sortBy=total&sortOrder=asc');
  await page.getByText('Deposits', { exact: true }).click();
  await same('?sortBy=total&sortOrder=asc&minAmount=0');
  await page.getByRole('button', { name: 'Page 2' }).click();
  await same('?sortBy=total&sortOrder=asc&minAmount=0&page=2');
  await page.getByRole('textbox', { name: 'Amount up to' }).fill('40');
  await page.keyboard.press('Enter');
  const listing = await same('?sortBy=total&sortOrder=asc&minAmount=0&maxAmount=40');
  await page.reload();
  await expectRows(page, listing.transactions);
  await page.goBack();
  await same('?sortBy=total&sortOrder=asc&minAmount=0&page=2');
  await page.getByRole('button', { name: 'Clear filters' }).click();
  await same('?sortBy=total&sortOrder=asc');
});

test('the picture of a balance has its lowest and its highest, however many transactions there are', async () => {
  const page = await openPage(demo);
  const { guildPath, player } = await openLedger(page);
  // The lowest and the highest, one right after the other: every second point would lack one of them.
  const changes = [-1_000_000, 2_000_000, -1_000_000, 1].map((amount) => ({
    method: 'POST',
    route: `players/${player.playerId}/transactions`,
    body: { name: 'Spike', quantity: 1, amount, overdraft: true },
  }));
  expect(await sendChanges(page, changes)).toEqual([200, 200, 200, 200]);
  await visit(page, `${guildPath}/ledger/${player.playerId}?sortOrder=asc`);
  await page.getByRole('table', { name: 'Transactions of this player' }).waitFor();
  const rows = await download(page);
  let unitsNow = 0;
  const balances = rows.map(({ total }) => {
    unitsNow += Math.round(Number(total) * 10_000);
    return unitsNow / 10_000;
  });
  expect(await countWrongMoments(page, player.playerId, rows)).toBe(0);
  await waitUntilLoaded(page);
  const drawn = (await readChartTable(page, /^Balance over time/)).map(([, ...cells]) => cells.map(toNumber));
  // Otherwise every transaction would have a row of its own.
  expect(drawn.length).toBeLessThan(rows.length);
  expect({
    lowest: Math.min(...drawn.map(([, lowest = 0]) => lowest)),
    highest: Math.max(...drawn.map(([, , highest = 0]) => highest)),
    last: drawn.at(-1)?.[0],
  }).toEqual({ lowest: Math.min(...balances), highest: Math.max(...balances), last: balances.at(-1) });
  // The line goes from the first to the last balance of a column; what lies between is in the band behind it.
  const table = page.getByRole('table', { name: /^Balance over time/ });
  const paths = page.locator('figure').filter({ has: table }).locator('svg path');
  const [, band, line] = await paths.evaluateAll((elements) =>
    elements.map((element) => {
      const { top, bottom } = element.getBoundingClientRect();
      return { top, bottom };
    }),
  );
  expect(band?.top).toBeLessThan((line?.top ?? 0) - 20);
  expect(band?.bottom).toBeGreaterThanOrEqual(line?.bottom ?? Number.POSITIVE_INFINITY);
});

test('an address that makes no sense shows the usual view', async () => {
  const page = await openPage(demo);
  const { guildPath, player } = await openLedger(page);
  await visit(page, `${guildPath}/ledger/${player.playerId}`);
  await page.getByRole('table', { name: 'Transactions of this player' }).waitFor();
  await waitUntilLoaded(page);
  const usual = await readRows(page);
  expect(usual.length).toBeGreaterThan(0);
  await page.goto(`${guildPath}/ledger/${player.playerId}?page=-1&limit=1000&sortBy=colour&minAmount=much`);
  await expectRows(page, usual);
  await page.goto(`${guildPath}?days=12&since=2026-02-30&by=hour`);
  await page.getByRole('table', { name: 'Money in and out by day' }).waitFor({ state: 'attached' });
});

test('a correction appears in the interface, once, and changes balance, list and picture', async () => {
  const page = await openPage(demo);
  const { guildPath, player } = await openLedger(page);
  const key = await makeKey(page, 'Correction');
  const { playerId } = player;
  await visit(page, `${guildPath}/ledger/${playerId}`);
  await page.getByRole('table', { name: 'Transactions of this player' }).waitFor();
  const before = await askInterface(demo, key, { playerId, query: '' });

  await page.getByRole('button', { name: 'New transaction' }).click();
  const dialog = page.getByRole('dialog');
  await dialog.getByRole('button', { name: 'Post the deposit' }).click();
  await dialog.getByText('Say what it is for').waitFor();
  await dialog.getByText('Withdrawal', { exact: true }).click();
  await dialog.getByLabel('Name').fill('Lost caravan');
  await dialog.getByLabel('Quantity').fill('3');
  await dialog.getByLabel('Amount each').fill('1.2345');
  await dialog.getByText('−3.7035').waitFor();
  await dialog.getByRole('button', { name: 'Post the withdrawal' }).dblclick();
  await page.getByText('Withdrawal posted').waitFor();
  await dialog.waitFor({ state: 'detached' });

  const after = await askInterface(demo, key, { playerId, query: '' });
  expect(after.total).toBe(before.total + 1);
  expect(after.transactions[0]).toMatchObject({
    name: 'Lost caravan',
    source: 'dashboard',
    quantity: 3,
    amount: -1.2345,
    total: -3.7035,
  });
  await expectRows(page, after.transactions);
  const balance = Number(player.balance) - 3.7035;
  const figure = page.locator('dl > div').filter({ hasText: 'Balance now' }).locator('dd').first();
  await expect
    .poll(async () => toNumber((await figure.textContent()) ?? ''), { timeout: waitMs })
    .toBeCloseTo(balance, 4);
  const readLastPoint = async () => toNumber((await readChartTable(page, /^Balance over time/)).at(-1)?.[1]);
  await expect.poll(readLastPoint, { timeout: waitMs }).toBeCloseTo(balance, 4);

  await page.getByRole('button', { name: /^Lost caravan ?, show details$/ }).click();
  const drawer = page.getByRole('dialog', { name: 'Withdrawal' });
  await drawer.getByText(/, in the dashboard$/).waitFor();
  await page.reload();
  await drawer.getByText(/, in the dashboard$/).waitFor();
  await page.keyboard.press('Escape');
  await drawer.waitFor({ state: 'detached' });
});

test('a refusal of the service stands in the form, and nothing is posted', async () => {
  const page = await openPage(demo);
  const { guildPath } = await openLedger(page);
  await visit(page, `${guildPath}/ledger/nobody-yet`);
  await page.getByText('No account yet').waitFor();
  await page.getByRole('button', { name: 'New transaction' }).click();
  const dialog = page.getByRole('dialog');
  await dialog.getByLabel('Name').fill('Too much');
  await dialog.getByLabel('Quantity').fill('9007199254740991');
  await dialog.getByLabel('Amount each').fill('1,000,000');
  await dialog.getByRole('checkbox', { name: /I have checked the id/ }).check();
  await dialog.getByRole('button', { name: 'Post the deposit' }).click();
  await dialog.getByText(/^Bad request - /).waitFor();
  await page.reload();
  await page.getByText('No account yet').waitFor();
});

test('an export holds what is filtered, for a player and for the guild', async () => {
  const page = await openPage(demo);
  const { guildPath, player } = await openLedger(page);
  const key = await makeKey(page, 'Export');
  const { playerId } = player;
  const query = new URLSearchParams({ minAmount: '2', sortBy: 'amount', sortOrder: 'asc' });
  await visit(page, `${guildPath}/ledger/${playerId}?${query}`);
  await page.getByRole('table', { name: 'Transactions of this player' }).waitFor();
  const rows = await download(page);
  expect(rows.map(transactionOf)).toEqual(await askInterfaceForAll(demo, key, { playerId, query }));

  await visit(page, `${guildPath}/ledger?from=shop`);
  await page.getByRole('table', { name: 'Transactions of this guild' }).waitFor();
  const shop = (await download(page)).map(transactionOf);
  expect(new Set(shop.map(({ source }) => source))).toEqual(new Set(['shop']));
  await expectRows(page, shop.slice(0, 20));
  await page.getByRole('button', { name: 'Older' }).click();
  await expectRows(page, shop.slice(20, 40));
  await page.reload();
  await expectRows(page, shop.slice(20, 40));
  await page.getByRole('button', { name: 'Newer' }).click();
  await expectRows(page, shop.slice(0, 20));
});

test('the overview’s sums are those of the transactions, and a reload keeps its range', async () => {
  const page = await openPage(demo);
  const { guildPath } = await openLedger(page);
  await page.getByRole('table', { name: 'Transactions of this guild' }).waitFor();
  const all = (await download(page)).map(transactionOf);
  const today = new Date().toISOString().slice(0, 10);
  const since = new Date(Date.now() - 40 * 86_400_000).toISOString().slice(0, 10);
  const ranged = all.filter(({ createdAt }) => createdAt.slice(0, 10) >= since);
  const sumOf = (isIn: boolean) =>
    ranged.filter(({ total }) => total > 0 === isIn).reduce((sum, { total }) => sum + Math.abs(total), 0);

  await visit(page, `${guildPath}?since=${since}&until=${today}&by=week`);
  const readSums = async () => {
    const weeks = await readChartTable(page, /^Money in and out by week/);
    const sum = (index: number) => weeks.reduce((whole, week) => whole + toNumber(week[index]), 0);
    return { in: sum(1).toFixed(4), out: sum(2).toFixed(4) };
  };
  const expected = { in: sumOf(true).toFixed(4), out: sumOf(false).toFixed(4) };
  await expect.poll(readSums, { timeout: waitMs }).toEqual(expected);
  await page.reload();
  await expect.poll(readSums, { timeout: waitMs }).toEqual(expected);
  await page.getByRole('button', { name: /^Date range/ }).click();
  await page.getByRole('button', { name: 'Last 90 days' }).click();
  await page.waitForURL('**?by=week&range=90d');
  await page.goBack();
  await expect.poll(readSums, { timeout: waitMs }).toEqual(expected);
});

test('an answer with a renamed field shows an error with its route, and no figure in place of it', async () => {
  const page = await openPage(demo);
  const { guildPath, player } = await openLedger(page);
  const api = guildPath.replace('/dashboard', '/dashboard/api');
  const views = [
    { view: `${guildPath}/ledger/${player.playerId}`, route: `${api}/players/${player.playerId}` },
    { view: guildPath, route: `${api}/overview` },
  ];
  for (const { view, route } of views) {
    await page.route(
      (url) => url.pathname === route,
      async (asked) => {
        const answer = await asked.fetch();
        const body = await answer.json();
        const { balance, ...others } = body.data;
        await asked.fulfill({ response: answer, json: { ...body, data: { ...others, sum: balance } } });
      },
    );
    await visit(page, view);
    const main = page.getByRole('main');
    const fault = `The service answered in an unexpected way: GET ${route}.`;
    await main.getByRole('alert').getByText(fault).waitFor();
    expect(await main.innerText()).not.toMatch(/balance/i);
  }
});
