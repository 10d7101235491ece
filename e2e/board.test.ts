import { AxeBuilder } from '@axe-core/playwright';
import type { Page } from 'playwright-core';
import { expect, test } from 'vitest';
import { findViolations } from './support/axe.ts';
import { openPage, useChromium } from './support/browser.ts';
import { useDemo } from './support/demo.ts';
import { openGuildPage } from './support/guild-pages.ts';
import { waitMs } from './support/patience.ts';

useChromium();
const demo = useDemo();
const board = '/board/emberhold';

/** The serious and critical violations of a page without scripts, in both colour schemes. */
async function findPublicViolations(page: Page): Promise<string[]> {
  const found: string[] = [];
  for (const colorScheme of ['light', 'dark'] as const) {
    await page.emulateMedia({ colorScheme });
    const { violations } = await new AxeBuilder({ page }).analyze();
    const grave = violations.filter(({ impact }) => impact === 'serious' || impact === 'critical');
    found.push(...grave.map(({ id, nodes }) => `${colorScheme} ${id}: ${nodes[0]?.html}`));
  }
  return found;
}

test('a manager chooses the parts of the board, sees them before they are public, and switches it off', async () => {
  const page = await openPage(demo);
  const open = async () => (await page.request.get(`${board}.json`)).json();
  expect(Object.keys(await open())).toContain('totals');

  await openGuildPage(page, 'board');
  const main = page.getByRole('main');
  const preview = main.frameLocator('iframe');
  await preview.getByText('In circulation').waitFor();
  expect(await findViolations(page, 'settings of the board')).toEqual([]);
  await main.getByRole('switch', { name: 'Totals' }).click();
  await preview.getByText('In circulation').waitFor({ state: 'detached' });
  await preview.getByRole('heading', { name: 'Leaderboard' }).waitFor();
  expect(Object.keys(await open())).toContain('totals');
  await main.getByText('Link in a chat').click();
  await main.getByRole('img', { name: /below a link/ }).waitFor();

  await main.getByRole('button', { name: 'Save board' }).click();
  await page.getByText('Everybody can open it now.').waitFor();
  expect(Object.keys(await open())).not.toContain('totals');
  await main.getByRole('switch', { name: 'Published' }).click();
  await main.getByRole('button', { name: 'Save board' }).click();
  await page.getByText('Nobody can open it.').waitFor();
  expect((await page.request.get(board)).status()).toBe(404);
  await main.getByRole('switch', { name: 'Totals' }).click();
  await main.getByRole('switch', { name: 'Published' }).click();
  await main.getByRole('button', { name: 'Publish board' }).click();
  await main.getByRole('link', { name: /\/board\/emberhold$/ }).waitFor();
});

test('the board is readable for everybody, runs no script and loads nothing else', async () => {
  const page = await openPage(demo);
  const requests: string[] = [];
  page.on('request', (request) => requests.push(new URL(request.url()).pathname));
  for (const [path, sign] of [
    [board, 'Commands of the bot'],
    [`${board}/embed`, 'Open the board'],
    ['/board/nobody-has-this', 'There is no such board'],
  ] as const) {
    await page.goto(path);
    await page.getByText(sign).first().waitFor();
    expect(await findPublicViolations(page), path).toEqual([]);
    await page.setViewportSize({ width: 320, height: 700 });
    const isTooWide = () =>
      page.evaluate(() => document.documentElement.scrollWidth > document.documentElement.clientWidth);
    await expect.poll(isTooWide, { timeout: waitMs }).toBe(false);
  }
  const others = requests.filter((path) => !path.startsWith('/board/') && path !== '/favicon.ico');
  expect(others).toEqual([]);
});
