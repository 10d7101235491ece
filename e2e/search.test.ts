import type { Locator, Page } from 'playwright-core';
import { expect, test } from 'vitest';
import { openPage, useChromium } from './support/browser.ts';
import { useDemo } from './support/demo.ts';
import { askRoute } from './support/guild-pages.ts';
import { holdBack } from './support/hold-back.ts';
import { openLedger, type Player } from './support/ledger.ts';
import { waitMs } from './support/patience.ts';
import { enter } from './support/steps.ts';

useChromium();
const demo = useDemo();

// With the transitions that most people see: a key must not get lost in one.
const moving = { reducedMotion: 'no-preference' } as const;
const playerRequests = /\/dashboard\/api\/guilds\/\d+\/search\?/;

async function openPalette(page: Page): Promise<Locator> {
  await page.keyboard.press('Control+k');
  const field = page.getByRole('textbox', {
    name: 'Search people, records, transactions, pages and commands',
  });
  await field.waitFor();
  return field;
}

const selectedEntry = (page: Page) => page.locator('[data-selected]');

interface Found {
  guildPath: string;
  /** Two players whose names begin differently. */
  one: Player & { username: string };
  other: Player & { username: string };
}

/** Opens the guild's ledger and returns two players to search for. */
async function openGuildWithPlayers(page: Page): Promise<Found> {
  const { guildPath, players } = await openLedger(page);
  const named = players.filter((player) => player.username !== null) as Found['one'][];
  const one = named[0];
  const other = named.find(({ username }) => username[0]?.toLowerCase() !== one?.username[0]?.toLowerCase());
  if (!one || !other) throw new Error('The sample data has no two players with different names');
  return { guildPath, one, other };
}

/** All but the last letter, in another case. */
const beginningOf = (name: string) => name.slice(0, -1).toUpperCase();

test('letters typed while the palette opens are not lost, and are no shortcuts', async () => {
  const page = await openPage(demo, moving);
  await openLedger(page);
  const code = await holdBack(page, /\/assets\/Palette-[^/]*\.js$/);
  await page.keyboard.press('Control+k');
  await code.asked;
  await page.keyboard.type('ga');
  code.release();
  await page.keyboard.type('rnet');
  const field = page.getByRole('textbox', {
    name: 'Search people, records, transactions, pages and commands',
  });
  await expect.poll(() => field.inputValue(), { timeout: waitMs }).toBe('garnet');
  expect(new URL(page.url()).pathname).toMatch(/\/ledger$/);
});

test('an Enter in the palette that comes before the commands opens the first of them', async () => {
  const page = await openPage(demo, moving);
  await enter(page, 'owner');
  const commands = await holdBack(page, `${demo.address}/commands`);
  const field = await openPalette(page);
  await field.fill('deposit');
  await field.press('Enter');
  await commands.asked;
  await page.getByText('Searching …').waitFor();
  commands.release();
  await page.waitForURL('**/dashboard/commands#deposit');
  await field.waitFor({ state: 'detached' });
});

test('an Enter in the palette that comes before the players opens the first of them', async () => {
  const page = await openPage(demo, moving);
  const { one, other } = await openGuildWithPlayers(page);
  const field = await openPalette(page);
  await field.fill(beginningOf(other.username));
  await page.locator('[data-selected]', { hasText: other.playerId }).waitFor();

  // The players of the earlier text are at hand, and none of them is what the Enter is for.
  const players = await holdBack(page, playerRequests);
  await field.fill(beginningOf(one.username));
  await field.press('Enter');
  await players.asked;
  players.release();
  await page.waitForURL(`**/people/${one.playerId}`);
});

test('an Enter is forgotten when nothing is found, when the text changes and when the search is closed', async () => {
  const page = await openPage(demo, moving);
  const { guildPath, one, other } = await openGuildWithPlayers(page);
  const field = await openPalette(page);
  let players = await holdBack(page, playerRequests);
  await field.fill('nobody is called like this');
  await field.press('Enter');
  await players.asked;
  players.release();
  await page.getByText('Nothing matches').waitFor();

  players = await holdBack(page, playerRequests);
  await field.fill(beginningOf(one.username));
  await field.press('Enter');
  await players.asked;
  await field.fill(beginningOf(other.username));
  players.release();
  await page.locator('[data-selected]', { hasText: other.playerId }).waitFor();

  players = await holdBack(page, playerRequests);
  const answer = page.waitForResponse((response) => response.url().includes(`query=${one.playerId}`));
  await field.fill(one.playerId);
  await field.press('Enter');
  await players.asked;
  await field.press('Escape');
  players.release();
  await answer;
  await field.waitFor({ state: 'detached' });
  await openPalette(page);
  expect(new URL(page.url()).pathname).toBe(`${guildPath}/ledger`);
});

test('a late result does not move what the arrow keys have selected', async () => {
  const page = await openPage(demo, moving);
  const { one } = await openGuildWithPlayers(page);
  const players = await holdBack(page, playerRequests);
  const field = await openPalette(page);
  const letter = one.username.slice(0, 1);
  await field.fill(letter);
  await players.asked;
  const first = await selectedEntry(page).innerText();
  await field.press('ArrowDown');
  await field.press('ArrowDown');
  await field.press('ArrowUp');
  await expect.poll(() => selectedEntry(page).innerText(), { timeout: waitMs }).not.toBe(first);
  const chosen = await selectedEntry(page).innerText();
  players.release();
  await page
    .getByRole('button', { name: /Player \d+/ })
    .first()
    .waitFor();
  expect(await selectedEntry(page).allInnerTexts()).toEqual([chosen]);
});

test('a command is not selected while people may still come above it, and the field stays in view', async () => {
  const page = await openPage(demo, moving);
  await openGuildWithPlayers(page);
  const players = await holdBack(page, playerRequests);
  const field = await openPalette(page);
  await field.fill('os');
  await players.asked;
  await page.getByRole('button', { name: /^deposit/ }).waitFor();
  expect(await selectedEntry(page).count()).toBe(0);
  players.release();
  await page.locator('[data-selected]', { hasText: /Player \d+/ }).waitFor();
  await field.press('ArrowUp');
  await page.locator('[data-selected]', { hasText: 'commands' }).waitFor();
  const isInView = (input: Element) => {
    const { left, top, width, height } = input.getBoundingClientRect();
    return document.elementFromPoint(left + width / 2, top + height / 2) === input;
  };
  await expect.poll(() => field.evaluate(isInView), { timeout: waitMs }).toBe(true);
});

test('an id that nobody has leads to no account by mistake', async () => {
  const page = await openPage(demo);
  const { guildPath } = await openGuildWithPlayers(page);
  const palette = await openPalette(page);
  await palette.fill('nobody-has-this');
  await page.getByText('Nothing matches').waitFor();
  await palette.press('Escape');
  await palette.waitFor({ state: 'detached' });

  const search = page.getByRole('textbox', { name: 'Search' });
  await search.fill('nobody-has-this');
  await page.getByText('No transaction matches').waitFor();
  await search.press('Enter');
  expect(new URL(page.url()).pathname).toBe(`${guildPath}/ledger`);
  await page.getByRole('link', { name: 'Open player id nobody-has-this' }).click();
  await page.getByText('No account yet').waitFor();
  await page.getByRole('button', { name: 'New transaction' }).click();
  const dialog = page.getByRole('dialog', { name: 'New transaction' });
  await dialog.getByLabel('Name').fill('For whom?');
  await dialog.getByLabel('Amount each').fill('5');
  await dialog.getByText('+5', { exact: true }).waitFor();
  const post = dialog.getByRole('button', { name: 'Post the deposit' });
  expect(await post.isDisabled()).toBe(true);
  await dialog.getByLabel('Amount each').press('Enter');
  await dialog.getByRole('checkbox', { name: /nobody-has-this.*I have checked the id/ }).check();
  await expect.poll(() => post.isDisabled(), { timeout: waitMs }).toBe(false);
  const { body } = await askRoute(page, 'players/nobody-has-this');
  expect(body).toMatchObject({ data: { transactions: 0 } });
});
