import { expect, test } from 'vitest';
import { findViolations } from './support/axe.ts';
import { openPage, useChromium } from './support/browser.ts';
import { useDemo } from './support/demo.ts';
import { openLedger, toNumber } from './support/ledger.ts';
import { waitMs } from './support/patience.ts';
import { visit } from './support/visit.ts';

useChromium();
const demo = useDemo();

test.each([
  ['a desk', 'light', 1280],
  ['a phone', 'dark', 390],
] as const)('a transaction is reversed once, and both say so, on %s', async (_, colorScheme, width) => {
  const page = await openPage(demo, { colorScheme, viewport: { width, height: 900 } });
  const { guildPath, player } = await openLedger(page);
  await visit(page, `${guildPath}/ledger/${player.playerId}`);
  await page.getByRole('button', { name: 'New transaction' }).click();
  const correction = page.getByRole('dialog');
  await correction.getByLabel('Name').fill(`Mistake ${colorScheme}`);
  await correction.getByLabel('Amount each').fill('12.5');
  await correction.getByRole('button', { name: 'Post the deposit' }).click();
  await correction.waitFor({ state: 'detached' });

  await page.getByText(`Mistake ${colorScheme}`).first().click();
  const drawer = page.getByRole('dialog', { name: 'Deposit' });
  await drawer.getByRole('button', { name: 'Reverse' }).click();
  const dialog = page.getByRole('dialog', { name: 'Reverse the transaction' });
  await dialog.getByLabel('Reason').fill('Posted by mistake');
  const balance = async (label: string) =>
    toNumber((await dialog.locator('dl > div').filter({ hasText: label }).locator('dd').textContent()) ?? '');
  const difference = async () => (await balance('Balance after')) - (await balance('Balance now'));
  await expect.poll(difference, { timeout: waitMs }).toBeCloseTo(-12.5, 4);
  expect(await findViolations(page, 'the reversal')).toEqual([]);
  await dialog.getByRole('button', { name: 'Reverse' }).click();
  await page.getByText('Transaction reversed').waitFor();
  await drawer.getByText('Reversed', { exact: true }).waitFor();
  await drawer.getByText('Reversed by').waitFor();
  await drawer.getByRole('button', { name: 'Reverse' }).waitFor({ state: 'detached' });
  await page.keyboard.press('Escape');
  await drawer.waitFor({ state: 'detached' });
  await page.getByText('Reversal', { exact: true }).first().waitFor();
});

test('the lowest balance of an account is set and taken away', async () => {
  const page = await openPage(demo);
  const { guildPath, player } = await openLedger(page);
  await visit(page, `${guildPath}/ledger/${player.playerId}`);
  const change = async (floor: string) => {
    await page.getByRole('button', { name: 'Change' }).click();
    const dialog = page.getByRole('dialog', { name: 'Lowest balance' });
    await dialog.getByRole('textbox', { name: 'Lowest balance' }).fill(floor);
    await dialog.getByRole('button', { name: 'Save' }).click();
    await dialog.waitFor({ state: 'detached' });
  };
  await change('-250');
  await page.locator('dd').getByText('−250').waitFor();
  await change('');
  await page.locator('dd').getByText('Guild’s setting').waitFor();
});
