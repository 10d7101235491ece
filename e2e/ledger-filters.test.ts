import { parse } from 'csv-parse/sync';
import { expect, test } from 'vitest';
import { openPage, useChromium } from './support/browser.ts';
import { useDemo } from './support/demo.ts';
import { readDownload } from './support/guild-pages.ts';
import { openLedger } from './support/ledger.ts';
import { waitUntilLoaded } from './support/steps.ts';
import { visit } from './support/visit.ts';

useChromium();
const demo = useDemo();

test('a filter applies while it is typed, with one entry in the history', async () => {
  const page = await openPage(demo);
  const { guildPath } = await openLedger(page);
  await page.getByRole('table', { name: 'Transactions of this guild' }).waitFor();
  const source = page.getByRole('combobox', { name: 'Source' });
  await source.pressSequentially('sho ');
  await page.waitForURL(`**${guildPath}/ledger?from=sho`);
  await page.getByText('No transaction matches').waitFor();
  // The space stays: another word may follow it.
  expect(await source.inputValue()).toBe('sho ');
  await source.press('Backspace');
  await source.press('p');
  await page.waitForURL(`**${guildPath}/ledger?from=shop`);
  await page.getByRole('table', { name: 'Transactions of this guild' }).waitFor();
  await page.goBack();
  await page.waitForURL(`**${guildPath}/ledger`);
});

test('a click right after typing a filter meets the filtered list', async () => {
  const page = await openPage(demo);
  const { guildPath } = await openLedger(page);
  const table = page.getByRole('table', { name: 'Transactions of this guild' });
  const row = table.getByRole('row').nth(1);
  for (const [label, text, query] of [
    ['Search', 'shop', 'search=shop'],
    ['Amount from', '100', 'minAmount=100'],
  ] as const) {
    await visit(page, `${guildPath}/ledger`);
    await row.waitFor();
    await page.getByRole('textbox', { name: label }).fill(text);
    // No pause: the field loses the focus by this click.
    await row.click();
    await page.waitForURL(`**${guildPath}/ledger?${query}`);
    await waitUntilLoaded(page);
    expect(await page.getByRole('dialog').count()).toBe(0);
    const shown = await row.innerText();
    await row.click();
    await page.getByRole('dialog').waitFor();
    expect(new URL(page.url()).search).toMatch(new RegExp(`^\\?${query}&record=`));
    expect(shown).toBe(await row.innerText());
  }
});

test('an export right after typing a filter has the filtered transactions', async () => {
  const page = await openPage(demo);
  await openLedger(page);
  await page.getByRole('table', { name: 'Transactions of this guild' }).waitFor();
  await page.getByRole('textbox', { name: 'Amount from' }).fill('100');
  const waiting = page.waitForEvent('download');
  await page.getByRole('link', { name: 'Export CSV' }).click();
  const rows: Record<string, string>[] = parse(await readDownload(await waiting), { columns: true, bom: true });
  expect(rows.length).toBeGreaterThan(0);
  expect(rows.filter(({ amount }) => Number(amount) < 100)).toEqual([]);
});


test('the list fits from 1280 pixels up, and its controls are in each other’s way at no width', async () => {
  const page = await openPage(demo);
  await openLedger(page);
  const table = page.getByRole('table', { name: 'Transactions of this guild' });
  await table.waitFor();
  for (const width of [1280, 1366]) {
    await page.setViewportSize({ width, height: 900 });
    const cutOff = await table.evaluate(
      (element) => element.scrollWidth - (element.parentElement?.clientWidth ?? 0),
    );
    expect([width, cutOff <= 0]).toEqual([width, true]);
  }

  await page.getByRole('button', { name: 'Columns' }).click();
  const source = page.getByRole('menuitemcheckbox', { name: 'Source', checked: true });
  await source.locator('svg').waitFor();
  await source.click();
  await page.getByRole('menuitemcheckbox', { name: 'Source', checked: false }).waitFor();
  await table.getByRole('columnheader', { name: 'Source' }).waitFor({ state: 'detached' });
  await page.keyboard.press('Escape');

  await page.setViewportSize({ width: 820, height: 900 });
  const label = await page.getByText('Date range', { exact: true }).boundingBox();
  const field = await page.getByRole('button', { name: /^Date range/ }).boundingBox();
  expect((label?.y ?? 0) + (label?.height ?? 0)).toBeLessThanOrEqual(field?.y ?? 0);

  await page.getByRole('button', { name: /^Account of/ }).click();
  await page.getByRole('menuitem', { name: /^Time zone/ }).click();
  const dialog = page.getByRole('dialog', { name: 'Time zone' });
  await dialog.getByRole('combobox').click();
  const list = await page.getByRole('listbox').boundingBox();
  const save = await dialog.getByRole('button', { name: 'Save' }).boundingBox();
  expect((list?.y ?? 0) + (list?.height ?? 0)).toBeLessThanOrEqual(save?.y ?? 0);
});
