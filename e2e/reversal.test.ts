import { expect, test } from 'vitest';
import { findViolations } from './support/axe.ts';
import { openPage, useChromium } from './support/browser.ts';
import { clicksOf } from './support/clicks.ts';
import { useDemo } from './support/demo.ts';
import { askRoute, guildPagePath, openGuildPage, sendChanges } from './support/guild-pages.ts';
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

test('a new transaction shows the balance as it is, one below zero waits for a word, and three clicks undo it', async () => {
  const page = await openPage(demo);
  await openGuildPage(page, 'people');
  const route = 'players/new-here/transactions';
  const first = { method: 'POST', route, body: { name: 'Start', quantity: 1, amount: 20 } };
  expect(await sendChanges(page, [first])).toEqual([200]);
  await visit(page, guildPagePath('people/new-here'));
  await page.getByText('1 transaction in all').waitFor();
  await page.getByRole('button', { name: 'New transaction' }).click();
  const dialog = page.getByRole('dialog', { name: 'New transaction' });
  const balanceNow = async () => toNumber((await dialog.locator('dl dd > span').first().textContent()) ?? '');
  await expect.poll(balanceNow, { timeout: waitMs }).toBe(20);
  // Somebody else posts meanwhile.
  const other = { method: 'POST', route, body: { name: 'Meanwhile', quantity: 1, amount: 5 } };
  expect(await sendChanges(page, [other])).toEqual([200]);
  await expect.poll(balanceNow, { timeout: waitMs }).toBe(25);

  await dialog.getByText('Withdrawal', { exact: true }).click();
  await dialog.getByLabel('Name').fill('Far too much');
  await dialog.getByLabel('Amount each').fill('1,000,000.5');
  const post = dialog.getByRole('button', { name: 'Post the withdrawal' });
  await expect.poll(() => post.isDisabled(), { timeout: waitMs }).toBe(true);
  await dialog.getByRole('checkbox', { name: /falls below zero/ }).check();
  await post.click();
  await dialog.waitFor({ state: 'detached' });

  const reversal = page.getByRole('dialog', { name: 'Reverse the transaction' });
  const clicks = await clicksOf(page, async () => {
    await page
      .getByRole('button', { name: /^Far too much/ })
      .first()
      .click();
    await page.getByRole('dialog', { name: 'Withdrawal' }).getByRole('button', { name: 'Reverse' }).click();
    await reversal.getByRole('button', { name: 'Reverse' }).click();
    await page.getByText('Transaction reversed').waitFor();
  });
  expect(clicks).toBe(3);
  const { body } = await askRoute(page, 'players/new-here');
  expect(Number((body as { data: { balance: string } }).data.balance)).toBe(25);
});
