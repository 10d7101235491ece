import { parse } from 'csv-parse/sync';
import type { Locator } from 'playwright-core';
import { expect, test } from 'vitest';
import { findViolations } from './support/axe.ts';
import { openPage, useChromium } from './support/browser.ts';
import { useDemo } from './support/demo.ts';
import { askRoute, readDownload, sendChanges } from './support/guild-pages.ts';
import { openLedger } from './support/ledger.ts';
import { waitMs } from './support/patience.ts';
import { waitUntilLoaded } from './support/steps.ts';
import { visit } from './support/visit.ts';

useChromium();
const demo = useDemo();

/**
 * Types into a field, leaves it, and clicks on the first row, without a pause: a browser that is driven from outside may
 * be slower than the pause after which a filter applies by itself.
 */
async function clickFirstRowAfterTyping(field: Locator, text: string): Promise<void> {
  await field.evaluate(async (element, typed) => {
    const nextTask = () => new Promise((resolve) => setTimeout(resolve));
    const input = element as HTMLInputElement;
    input.focus();
    Object.getOwnPropertyDescriptor(HTMLInputElement.prototype, 'value')?.set?.call(input, typed);
    input.dispatchEvent(new Event('input', { bubbles: true }));
    await nextTask();
    input.blur();
    await nextTask();
    document.querySelector<HTMLElement>('tbody tr td:last-child')?.click();
  }, text);
}

test('a filter applies while it is typed, with one entry in the history, and right after it', async () => {
  const page = await openPage(demo);
  const { guildPath } = await openLedger(page);
  const table = page.getByRole('table', { name: 'Transactions of this guild' });
  await table.waitFor();
  const source = page.getByRole('combobox', { name: 'Source' });
  await source.pressSequentially('sho ');
  await page.waitForURL(`**${guildPath}/ledger?from=sho`);
  await page.getByText('No transaction matches').waitFor();
  // The space stays: another word may follow it.
  expect(await source.inputValue()).toBe('sho ');
  await source.press('Backspace');
  await source.press('p');
  await page.waitForURL(`**${guildPath}/ledger?from=shop`);
  await table.waitFor();
  await page.goBack();
  await page.waitForURL(`**${guildPath}/ledger`);

  // A click and an export right after typing meet the filtered list.
  const row = table.getByRole('row').nth(1);
  for (const [label, text, query] of [
    ['Search', 'shop', 'search=shop'],
    ['Amount from', '100', 'minAmount=100'],
  ] as const) {
    await visit(page, `${guildPath}/ledger`);
    await row.waitFor();
    await clickFirstRowAfterTyping(page.getByRole('textbox', { name: label }), text);
    await page.waitForURL(`**${guildPath}/ledger?${query}`);
    await waitUntilLoaded(page);
    expect(await page.getByRole('dialog').count()).toBe(0);
    const shown = await row.innerText();
    await row.click();
    await page.getByRole('dialog').waitFor();
    expect(new URL(page.url()).search).toMatch(new RegExp(`^\\?${query}&record=`));
    expect(shown).toBe(await row.innerText());
  }

  await visit(page, `${guildPath}/ledger`);
  await page.getByRole('dialog').waitFor({ state: 'detached' });
  await row.waitFor();
  await page.getByRole('textbox', { name: 'Amount from' }).fill('100');
  const waiting = page.waitForEvent('download');
  await page.getByRole('link', { name: 'Export CSV' }).click();
  const rows: Record<string, string>[] = parse(await readDownload(await waiting), {
    columns: true,
    bom: true,
  });
  expect(rows.length).toBeGreaterThan(0);
  expect(rows.filter(({ amount }) => Number(amount) < 100)).toEqual([]);
});

/** Waits until one element ends above the other. */
async function expectAbove(upper: Locator, lower: Locator): Promise<void> {
  const overlap = async () => {
    const [above, below] = [await upper.boundingBox(), await lower.boundingBox()];
    return above === null || below === null ? Number.NaN : above.y + above.height - below.y;
  };
  await expect.poll(overlap, { timeout: waitMs }).toBeLessThanOrEqual(0);
}

test('the list fits from 1280 pixels up, and its controls are in each other’s way at no width', async () => {
  const page = await openPage(demo);
  await openLedger(page);
  const table = page.getByRole('table', { name: 'Transactions of this guild' });
  await table.waitFor();
  for (const width of [1280, 1366]) {
    await page.setViewportSize({ width, height: 900 });
    const cutOff = () =>
      table.evaluate((element) => element.scrollWidth - (element.parentElement?.clientWidth ?? 0));
    await expect.poll(cutOff, { message: `${width} pixels`, timeout: waitMs }).toBeLessThanOrEqual(0);
  }

  await page.getByRole('button', { name: 'Columns' }).click();
  const source = page.getByRole('menuitemcheckbox', { name: 'Source', checked: true });
  await source.locator('svg').waitFor();
  await source.click();
  await page.getByRole('menuitemcheckbox', { name: 'Source', checked: false }).waitFor();
  await table.getByRole('columnheader', { name: 'Source' }).waitFor({ state: 'detached' });
  await page.keyboard.press('Escape');

  await page.setViewportSize({ width: 820, height: 900 });
  await expectAbove(
    page.getByText('Date range', { exact: true }),
    page.getByRole('button', { name: /^Date range/ }),
  );

  await page.getByRole('button', { name: /^Account of/ }).click();
  await page.getByRole('menuitem', { name: /^Time zone/ }).click();
  const dialog = page.getByRole('dialog', { name: 'Time zone' });
  await dialog.getByRole('combobox').click();
  await expectAbove(page.getByRole('listbox'), dialog.getByRole('button', { name: 'Save' }));
});

test('filters are chips with sums, a player is found by name, and the found are reversed and exported together', async () => {
  const page = await openPage(demo);
  const { guildPath, players } = await openLedger(page);
  const player = players.find(({ username }) => username !== null);
  const route = `players/${player?.playerId}/transactions`;
  const posts = [1_000.5, 250.25, -100].map((amount) => ({
    method: 'POST',
    route,
    body: { name: 'Together', quantity: 1, amount },
  }));
  expect(await sendChanges(page, posts)).toEqual([200, 200, 200]);
  await visit(page, `${guildPath}/ledger`);
  const search = page.getByRole('textbox', { name: 'Search' });
  await search.fill(player?.username?.slice(0, -1).toUpperCase() ?? '');
  const table = page.getByRole('table', { name: 'Transactions of this guild' });
  await page.waitForURL('**/ledger?search=*');
  await table.getByText('Together').nth(2).waitFor();
  await waitUntilLoaded(page);
  const readNames = async () => new Set(await table.getByRole('link').allInnerTexts());
  await expect.poll(readNames, { timeout: waitMs }).toEqual(new Set([player?.username]));

  await search.fill('together');
  const status = page.getByRole('search').getByRole('status');
  await status.getByText('3 transactions found').waitFor();
  await status.getByText('+1,251', { exact: true }).waitFor();
  expect(await status.getByTitle('+1,250.75').innerText()).toBe('+1,251');
  await status.getByText('−100', { exact: true }).waitFor();
  await waitUntilLoaded(page);
  await page.getByRole('checkbox', { name: 'Select all rows of this page' }).check();
  const bar = page.getByRole('region', { name: 'Selected transactions' });
  await bar.getByText('3 selected').waitFor();
  expect(await findViolations(page, 'selected transactions')).toEqual([]);
  const waiting = page.waitForEvent('download');
  await bar.getByRole('link', { name: 'Export selected' }).click();
  const rows: Record<string, string>[] = parse(await readDownload(await waiting), {
    columns: true,
    bom: true,
  });
  expect(rows.map(({ amount }) => Number(amount)).sort((one, other) => one - other)).toEqual([
    -100, 250.25, 1_000.5,
  ]);
  await bar.getByRole('button', { name: 'Reverse' }).click();
  const dialog = page.getByRole('dialog', { name: 'Reverse 3 transactions' });
  await dialog.getByText('−1,150.75').waitFor();
  await dialog.getByRole('button', { name: 'Reverse 3 transactions' }).click();
  await page.getByText('Transactions reversed').waitFor();
  await status.getByText('6 transactions found').waitFor();
  await bar.waitFor({ state: 'detached' });
  const account = await askRoute(page, `players/${player?.playerId}`);
  expect((account.body as { data: { balance: string } }).data.balance).toBe(player?.balance);

  await page.getByRole('button', { name: 'Remove the filter Search: together' }).click();
  await page.waitForURL(`**${guildPath}/ledger`);
  expect(await search.inputValue()).toBe('');
});
