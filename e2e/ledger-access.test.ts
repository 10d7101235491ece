import { expect, test } from 'vitest';
import { findViolations } from './support/axe.ts';
import { openPage, useChromium } from './support/browser.ts';
import { useDemo } from './support/demo.ts';
import { openLedger } from './support/ledger.ts';
import { enter } from './support/steps.ts';
import { visit } from './support/visit.ts';

useChromium();
const demo = useDemo();

test('who has no rights gets none of it, neither by page nor by route', async () => {
  const owner = await openPage(demo);
  const { guildPath, player } = await openLedger(owner);
  const pages = ['', '/ledger', `/ledger/${player.playerId}`].map((path) => `${guildPath}${path}`);
  const api = guildPath.replace('/dashboard', '/dashboard/api');
  const account = `${api}/players/${player.playerId}`;
  const routes = [
    `${api}/overview`,
    `${api}/players`,
    `${api}/transactions`,
    `${api}/transactions.csv`,
    account,
    `${account}/transactions`,
    `${account}/transactions.csv`,
  ];
  const post = { data: { name: 'Theft', quantity: 1, amount: -1 } };

  const member = await openPage(demo);
  await enter(member, 'member');
  const session = await (await member.request.get('/dashboard/api/session')).json();
  const headers = { 'x-csrf-token': session.data.csrfToken, origin: demo.address };
  for (const path of pages) {
    await visit(member, path);
    await member.getByText('You do not manage this guild').waitFor();
  }
  const stranger = await openPage(demo);
  for (const path of pages) {
    await stranger.goto(path);
    await stranger.getByRole('link', { name: 'Sign in with your chat account' }).waitFor();
  }
  for (const route of routes) {
    expect((await member.request.get(route)).status(), route).toBe(404);
    expect((await stranger.request.get(route)).status(), route).toBe(401);
  }
  const theft = await member.request.post(`${account}/transactions`, { ...post, headers });
  expect(theft.status()).toBe(404);
  expect((await stranger.request.post(`${account}/transactions`, post)).status()).toBe(401);
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
