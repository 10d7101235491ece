import { expect, test } from 'vitest';
import { openBrowser, openPage, useChromium } from './support/browser.ts';
import { useDemo } from './support/demo.ts';
import { openGuildPage } from './support/guild-pages.ts';
import {
  chooseAction,
  createKey,
  enter,
  openCreateDialog,
  openKeys,
  readLedger,
  rowOf,
} from './support/steps.ts';

useChromium();
const demo = useDemo();

test('a key made in the dashboard works, shows its use, and is refused once deleted', async () => {
  const page = await openPage(demo);
  await openGuildPage(page, 'keys');

  const value = await createKey(page, 'Payout bot');
  expect(value).toMatch(/^gbk_[0-9A-Za-z]{46}$/);
  const row = rowOf(page, 'Payout bot');
  await row.getByText('Never').waitFor();
  expect(await page.content()).not.toContain(value);

  expect(await readLedger(demo, value)).toBe(200);
  await row.getByText('Never').waitFor({ state: 'detached' });

  await chooseAction(page, 'Payout bot', 'Delete');
  const dialog = page.getByRole('dialog');
  await dialog.getByLabel('Type the key’s name to confirm').fill('Payout');
  expect(await dialog.getByRole('button', { name: 'Delete key' }).isDisabled()).toBe(true);
  await dialog.getByLabel('Type the key’s name to confirm').fill('Payout bot');
  await dialog.getByRole('button', { name: 'Delete key' }).click();
  await row.waitFor({ state: 'detached' });
  expect(await readLedger(demo, value)).toBe(401);
});

test('a new key stays on the screen until it is said to be stored, even when the session ends', async () => {
  const context = await openBrowser(demo);
  const page = await context.newPage();
  await openGuildPage(page, 'keys');
  const dialog = await openCreateDialog(page);
  await dialog.getByLabel('Name').fill('Kept');
  await dialog.getByRole('button', { name: 'Create key' }).click();
  const value = page.getByTestId('key-value');
  await value.waitFor();
  await page.keyboard.press('Escape');
  await page.mouse.click(5, 5);

  const other = await context.newPage();
  await other.goto('/dashboard/');
  await other.getByRole('button', { name: /^Account of/ }).click();
  await other.getByRole('menuitem', { name: 'Sign out', exact: true }).click();
  await other.getByText('You are signed out').waitFor();

  await page.waitForURL('**/dashboard/sign-in?returnTo=*');
  await value.waitFor();
  await page.getByRole('button', { name: 'I have stored it' }).click();
  await page.getByText('Your session has ended').waitFor();
});

test('the form says what is wrong and sends nothing', async () => {
  const page = await openPage(demo);
  await openGuildPage(page, 'keys');
  const posts: string[] = [];
  page.on('request', (request) => request.method() === 'POST' && posts.push(request.url()));
  const dialog = await openCreateDialog(page);
  await dialog.getByLabel(/Read the guild/).uncheck();
  await dialog.getByRole('button', { name: 'Create key' }).click();
  await dialog.getByText('Give the key a name').waitFor();
  await dialog.getByText('Choose at least one scope').waitFor();
  await dialog.getByLabel('Name').fill('n'.repeat(101));
  await dialog.getByRole('button', { name: 'Create key' }).click();
  await dialog.getByText('At most 100 characters; these are 101').waitFor();
  await dialog.getByLabel('Name').fill('Limited');
  await dialog.getByLabel(/Read the guild/).check();
  await dialog.getByText('Limits and allowed addresses').click();
  await dialog.getByLabel('Largest amount').fill('12,5');
  await dialog.getByText('Limits and allowed addresses').click();
  await dialog.getByRole('button', { name: 'Create key' }).click();
  await dialog.getByText('Give an amount such as 500 or 12.5').waitFor();
  expect(posts).toEqual([]);
});

test('the guild without a plan cannot make a key, and the button says why', async () => {
  const page = await openPage(demo);
  await enter(page, 'ownerWithoutPlan');
  await page.getByRole('main').getByText('No active plan').waitFor();
  // An owner has no command line: the page says who to ask.
  await page
    .getByRole('main')
    .getByText(/Ask the operator of this service to activate a plan/)
    .first()
    .waitFor();
  expect(await page.getByText('guild set').count()).toBe(0);
  await openKeys(page);
  await page.getByRole('button', { name: 'Create key' }).first().click();
  const dialog = page.getByRole('dialog');
  await dialog.getByText('This guild has no active plan').waitFor();
  await dialog.getByText(/Ask the operator of this service to activate a plan/).waitFor();
  expect(await dialog.getByLabel('Name').count()).toBe(0);
});

test('a key gets a new value, limits and addresses, and shows how it was used', async () => {
  const page = await openPage(demo);
  await openGuildPage(page, 'keys');
  const old = await createKey(page, 'Turning');
  await rowOf(page, 'Turning').getByRole('button', { name: 'Rotate the key Turning' }).click();
  await page.getByText('7 days').click();
  await page.getByRole('dialog').getByRole('button', { name: 'Rotate', exact: true }).click();
  const value = await page.getByTestId('key-value').innerText();
  await page.getByRole('button', { name: 'I have stored it' }).click();
  expect(value).not.toBe(old);
  expect([await readLedger(demo, old), await readLedger(demo, value)]).toEqual([200, 200]);
  await rowOf(page, 'Turning').getByText('Old value still valid').waitFor();

  await chooseAction(page, 'Turning', 'Settings');
  const dialog = page.getByRole('dialog');
  await dialog.getByLabel('Largest amount').fill('12,5');
  await dialog.getByLabel('Allowed addresses').fill('203.0.113.7');
  await dialog.getByText('No proxy is trusted').waitFor();
  await dialog.getByRole('button', { name: 'Save' }).click();
  await dialog.getByText('Give an amount such as 500 or 12.5').waitFor();
  await dialog.getByLabel('Largest amount').fill('12.5');
  await dialog.getByLabel('Note').fill('Runs beside the shop.');
  await dialog.getByRole('button', { name: 'Add a limit' }).click();
  await dialog.getByLabel('Requests of GET /users/{query}').fill('0');
  await dialog.getByRole('button', { name: 'Save' }).click();
  await dialog.getByText('give a number from 1 to 1000').waitFor();
  await dialog.getByLabel('Requests of GET /users/{query}').fill('30');
  await dialog.getByRole('button', { name: 'Save' }).click();
  await rowOf(page, 'Turning').getByText('Limited').waitFor();
  expect(await readLedger(demo, value)).toBe(401);

  await chooseAction(page, 'Turning', 'Usage');
  const drawer = page.getByRole('dialog');
  await drawer.getByText('Runs beside the shop.').waitFor();
  await drawer.getByText('203.0.113.7/32').waitFor();
  await drawer.getByText('2 answered, 1 refused').waitFor();
});

test('markup in a name is shown as text and runs nothing', async () => {
  const page = await openPage(demo);
  await openGuildPage(page, 'keys');
  const name = '<img src=x onerror="alert(1)"><script>alert(2)</script>';
  await createKey(page, name);
  const row = rowOf(page, name);
  await row.waitFor();
  expect(await row.locator('img, script').count()).toBe(0);
  await chooseAction(page, name, 'Delete');
  await page.getByRole('dialog').getByText(name, { exact: true }).waitFor();
  await page.goto(`/dashboard/commands?q=${encodeURIComponent(name)}`);
  await page.getByText('No command matches').waitFor();
  await page.goto(`/dashboard/sign-in?error=${encodeURIComponent(name)}&returnTo=javascript:alert(3)`);
  await page.getByRole('heading', { name: 'Your guilds' }).waitFor();
});
