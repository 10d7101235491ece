import type { Locator, Page } from 'playwright-core';
import { expect, test } from 'vitest';
import { openPage, useChromium } from './support/browser.ts';
import { useDemo } from './support/demo.ts';
import { guildPagePath, makeKey, openGuildPage, samplePerson } from './support/guild-pages.ts';
import { waitMs } from './support/patience.ts';
import { waitUntilLoaded } from './support/steps.ts';
import { visit } from './support/visit.ts';

useChromium();
const demo = useDemo();

const phone = { viewport: { width: 390, height: 844 }, hasTouch: true, isMobile: true };
/** A card with a name of one line, a finger's height for its player, and little around them. */
const cardHeightMax = 110;

/** Goes to another page. Its heading shows that the one before is gone. */
async function open(page: Page, path: string, heading: string): Promise<void> {
  await visit(page, guildPagePath(path));
  await page.getByRole('heading', { level: 1, name: heading }).waitFor();
  await waitUntilLoaded(page);
}

async function placeOf(
  locator: Locator,
): Promise<{ left: number; right: number; top: number; bottom: number }> {
  const box = await locator.boundingBox();
  if (box === null) throw new Error('The element is not shown');
  return { left: box.x, right: box.x + box.width, top: box.y, bottom: box.y + box.height };
}

async function heightsOf(cards: Locator): Promise<number[]> {
  return cards.evaluateAll((elements) =>
    elements.map((element) => Math.round(element.getBoundingClientRect().height)),
  );
}

test('on a phone, cards are low or equally high, and controls share their rows', async () => {
  const page = await openPage(demo, phone);
  await openGuildPage(page, 'ledger');
  await waitUntilLoaded(page);
  const transactions = page.getByRole('list', { name: 'Transactions of this guild' }).getByRole('listitem');
  const heights = (await heightsOf(transactions)).toSorted((one, other) => one - other);
  expect(heights.length).toBeGreaterThan(10);
  expect(heights[Math.floor(heights.length / 2)]).toBeLessThanOrEqual(cardHeightMax);

  await open(page, 'people', 'People');
  const people = page.getByRole('list', { name: 'People' }).getByRole('listitem');
  await people.first().waitFor();
  expect(new Set(await heightsOf(people)).size).toBe(1);

  for (const [path, heading] of [
    ['ledger', 'Ledger'],
    ['people', 'People'],
    ['discharges', 'Records'],
    ['audit', 'Audit log'],
  ] as const) {
    await open(page, path, heading);
    const filters = await placeOf(page.getByRole('button', { name: 'Filters' }));
    const exported = await placeOf(page.getByRole('link', { name: 'Export CSV' }));
    expect([path, exported.top < filters.bottom && exported.bottom > filters.top]).toEqual([path, true]);
  }

  await open(page, `people/${samplePerson.playerId}`, samplePerson.username);
  await page.getByRole('tab').first().waitFor();
  const tabs = await Promise.all((await page.getByRole('tab').all()).map(placeOf));
  expect(tabs).toHaveLength(4);
  expect(new Set(tabs.map(({ top }) => top)).size).toBe(1);
  expect(tabs.at(-1)?.right).toBeLessThanOrEqual(phone.viewport.width);

  await open(page, 'keys', 'API keys');
  const name = await placeOf(page.getByRole('heading', { name: 'Demo key' }));
  const rotate = await placeOf(page.getByRole('button', { name: 'Rotate the key Demo key' }));
  expect(rotate.top < name.bottom && rotate.bottom > name.top).toBe(true);
});

test('a long name of a key takes two lines, is whole on hover, and need not be typed', async () => {
  const page = await openPage(demo);
  await openGuildPage(page, 'keys');
  const long = `Payouts ${'of the guild '.repeat(7)}`.trim();
  await makeKey(page, long);
  await page.reload();
  await waitUntilLoaded(page);
  const row = page.getByRole('row').filter({ hasText: 'of the guild of the guild' });
  const name = row.getByText(long);
  // Tooltips of this kind come after everything else of the first page.
  const hover = async () => {
    await page.mouse.move(0, 0);
    await name.hover();
    return name.getAttribute('title');
  };
  await expect.poll(hover, { timeout: waitMs }).toBe(long);
  const lines = await name.evaluate(
    (element) => element.clientHeight / Number.parseFloat(getComputedStyle(element).lineHeight),
  );
  expect(Math.round(lines)).toBe(2);

  await row.getByRole('button', { name: /^Actions for the key/ }).click();
  await page.getByRole('menuitem', { name: 'Delete' }).click();
  const dialog = page.getByRole('dialog');
  const field = dialog.getByLabel('Type the key’s prefix to confirm');
  await field.fill((await field.getAttribute('placeholder')) ?? '');
  await dialog.getByRole('button', { name: 'Delete key' }).click();
  await page.getByText('Key deleted').waitFor();
});

test('a record whose name is that of its player shows the id beside it, not the name again', async () => {
  const page = await openPage(demo);
  await openGuildPage(page, 'discharges');
  await waitUntilLoaded(page);
  const pairs = await page.getByRole('row').evaluateAll((rows) =>
    rows.flatMap((row) => {
      const name = row.querySelector('th [dir="auto"]')?.textContent;
      const player = row.querySelector('td a [title]')?.textContent;
      return name && player ? [{ name, player }] : [];
    }),
  );
  expect(pairs.length).toBeGreaterThan(5);
  expect(pairs.filter(({ name, player }) => name === player)).toEqual([]);
  // The sample people have records of their own.
  expect(pairs.map(({ player }) => player)).toContainEqual(expect.stringMatching(/^\d+$/));
});
