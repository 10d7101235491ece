import { expect, test } from 'vitest';
import { findViolations, shortenReference } from './support/axe.ts';
import { openPage, useChromium } from './support/browser.ts';
import { useDemo } from './support/demo.ts';
import { chooseAction, enter, openCreateDialog, openKeys } from './support/steps.ts';
import { visit } from './support/visit.ts';

useChromium();
const demo = useDemo();

test('no page has a serious or critical violation, in either colour scheme', async () => {
  const page = await openPage(demo);
  await shortenReference(page);
  const found: string[] = [];
  const look = async (path: string, sign: string) => {
    if (page.url().includes('/dashboard/') && path.startsWith('/dashboard/')) await visit(page, path);
    else await page.goto(path);
    await page.getByText(sign).first().waitFor();
    found.push(...(await findViolations(page, path)));
  };
  await look('/dashboard/sign-in', 'Sign in with your chat account');
  await look('/dashboard/sign-in?error=expired', 'That sign-in took too long');
  await look('/dashboard/commands#deposit', 'Pay coin into');
  await look('/docs', 'Post a transaction');
  await enter(page, 'owner');
  await look('/dashboard/', 'Your guilds');
  await look('/dashboard/nowhere', 'There is no page at this address');
  await look('/dashboard/guilds/1/keys', 'You do not manage this guild');
  await visit(page, '/dashboard/');
  await openKeys(page);
  await page.getByRole('table').waitFor();
  found.push(...(await findViolations(page, 'keys')));
  await page.setViewportSize({ width: 390, height: 844 });
  await page.getByRole('table').waitFor({ state: 'detached' });
  found.push(...(await findViolations(page, 'keys on a phone')));
  expect(found).toEqual([]);
});

test('no dialog or menu has a serious or critical violation, in either colour scheme', async () => {
  const page = await openPage(demo);
  const found: string[] = [];
  const judge = async (place: string) => found.push(...(await findViolations(page, place)));
  await enter(page, 'owner');
  await page.getByRole('button', { name: /^Account of/ }).click();
  await page.getByRole('menuitem', { name: 'Sign out everywhere' }).waitFor();
  await judge('user menu');
  await page.getByRole('menuitem', { name: 'Sign out everywhere' }).click();
  await page.getByRole('dialog').waitFor();
  await judge('sign out everywhere');
  await page.keyboard.press('Escape');
  await page.getByRole('dialog').waitFor({ state: 'detached' });
  await openKeys(page);
  const dialog = await openCreateDialog(page);
  await dialog.getByRole('button', { name: 'Create key' }).click();
  await dialog.getByText('Give the key a name').waitFor();
  await judge('create a key');
  await dialog.getByLabel('Expires').click();
  const previousMonth = page.getByRole('button', { name: 'Previous month' });
  await previousMonth.waitFor();
  await judge('calendar');
  await page.keyboard.press('Escape');
  await previousMonth.waitFor({ state: 'detached' });
  await dialog.getByText('Limits and allowed addresses').click();
  await dialog.getByLabel('Largest amount').waitFor();
  await judge('limits of a new key');
  await dialog.getByLabel('Name').fill('Judged');
  await dialog.getByRole('button', { name: 'Create key' }).click();
  await page.getByTestId('key-value').waitFor();
  await judge('new key');
  await page.getByRole('button', { name: 'I have stored it' }).click();
  for (const [action, what] of [
    ['Usage', 'usage of a key'],
    ['Settings', 'settings of a key'],
    ['Delete', 'delete a key'],
  ] as const) {
    await chooseAction(page, 'Judged', action);
    await page.getByRole('dialog').waitFor();
    await judge(what);
    await page.keyboard.press('Escape');
    await page.getByRole('dialog').waitFor({ state: 'detached' });
  }
  await page.getByRole('button', { name: 'Rotate the key Judged' }).click();
  await page.getByRole('dialog').waitFor();
  await judge('rotate a key');
  await page.keyboard.press('Escape');
  await page.getByRole('dialog').waitFor({ state: 'detached' });
  await page.keyboard.press('Control+k');
  const search = page.getByRole('textbox', {
    name: 'Search people, records, transactions, pages and commands',
  });
  await search.fill('dep');
  await page.getByRole('button', { name: /^deposit/ }).waitFor();
  await judge('command palette with a result');
  await search.fill('');
  await page.getByRole('button', { name: /^Overview/ }).waitFor();
  await judge('command palette');
  await search.fill('nothing like it');
  await page.getByText('Nothing matches').waitFor();
  await judge('command palette without a result');
  expect(found).toEqual([]);
});
