import type { Locator, Page } from 'playwright-core';
import { expect, test } from 'vitest';
import { depth } from '../server/test/support/depth.ts';
import { openPage, useChromium } from './support/browser.ts';
import { useDemo } from './support/demo.ts';
import {
  askRoute,
  change,
  field,
  guildPagePath,
  newTransfer,
  openGuildPage,
  sampleDischargeId,
  samplePerson,
  sendChanges,
} from './support/guild-pages.ts';
import { waitMs } from './support/patience.ts';
import { enter } from './support/steps.ts';
import { visit } from './support/visit.ts';

useChromium();
const demo = useDemo();

async function openForm(page: Page, id: string): Promise<Locator> {
  await page.goto(guildPagePath(`transfers?record=${id}`));
  await page.getByRole('button', { name: 'Edit' }).click();
  const form = page.getByRole('dialog', { name: 'Edit this transfer' });
  await field(form, 'To').waitFor();
  return form;
}

test('of two who edit one record the second sees both versions and chooses', async () => {
  const page = await openPage(demo);
  await openGuildPage(page, 'transfers');
  await change(page, 'POST', 'transfers', { ...newTransfer, id: 'shared' });
  const form = await openForm(page, 'shared');
  await field(form, 'To').fill('Mine');
  await field(form, 'Name').fill('Alder the Quick');
  await change(page, 'PUT', 'transfers/shared', { ...newTransfer, to: 'Theirs', signed: 'Niall' });

  await form.getByRole('button', { name: 'Save changes' }).click();
  await form.getByText('Somebody else changed this transfer meanwhile').waitFor();
  await form.getByRole('radiogroup', { name: 'To' }).getByText('Theirs').waitFor();
  expect((await askRoute(page, 'transfers/shared')).body).toMatchObject({
    data: { to: 'Theirs', name: 'Alder Quick' },
  });

  await form.getByRole('radiogroup', { name: 'To' }).getByLabel('Saved by somebody else').check();
  await form.getByRole('button', { name: 'Save this choice' }).click();
  await page.getByText('Transfer changed').waitFor();
  expect((await askRoute(page, 'transfers/shared')).body).toMatchObject({
    data: { to: 'Theirs', name: 'Alder the Quick', signed: 'Niall' },
  });
});

test('a record that somebody else changed and then deleted can be added again with what was entered', async () => {
  const page = await openPage(demo);
  await openGuildPage(page, 'transfers');
  await change(page, 'POST', 'transfers', { ...newTransfer, id: 'vanishing' });
  const form = await openForm(page, 'vanishing');
  await field(form, 'To').fill('Mine');
  await change(page, 'PUT', 'transfers/vanishing', { ...newTransfer, to: 'Theirs' });
  // It is deleted after the refusal, before the page reads the other version.
  await page.route('**/transfers/vanishing', async (route) => {
    if (route.request().method() === 'GET')
      await sendChanges(page, [{ method: 'DELETE', route: 'transfers/vanishing' }]);
    await route.continue();
  });

  await form.getByRole('button', { name: 'Save changes' }).click();
  await form.getByText('Somebody deleted this transfer meanwhile').waitFor();
  await page.unroute('**/transfers/vanishing');
  await form.getByRole('button', { name: 'Add it again' }).click();
  await form.waitFor({ state: 'detached' });
  expect((await askRoute(page, 'transfers/vanishing')).body).toMatchObject({ data: { to: 'Mine' } });
});

test('a transfer needs where from and where to; a deleted one can be had again', async () => {
  const page = await openPage(demo);
  await openGuildPage(page, 'transfers');
  await page.getByRole('button', { name: 'Add transfer' }).click();
  const form = page.getByRole('dialog', { name: 'Add a transfer' });
  await form.getByRole('button', { name: 'Add transfer' }).click();
  await expect.poll(() => form.getByText('Needed for every record').count(), { timeout: waitMs }).toBe(4);
  await page.keyboard.press('Escape');
  await form.waitFor({ state: 'detached' });

  await change(page, 'POST', 'transfers', { ...newTransfer, id: 'gone' });
  await page.goto(guildPagePath('transfers?record=gone'));
  await page.getByRole('button', { name: 'Delete', exact: true }).click();
  await page.getByRole('button', { name: 'Delete transfer' }).click();
  await page.getByRole('button', { name: 'Undo' }).click();
  await page.getByText('Transfer restored').waitFor();
  expect((await askRoute(page, 'transfers/gone')).body).toMatchObject({ data: newTransfer });

  // A name as long as the service takes it leaves the row a row, and the page as wide as the window.
  await change(page, 'POST', 'transfers', { ...newTransfer, id: 'long', name: 'W'.repeat(200) });
  await page.goto(guildPagePath(`transfers?query=${'W'.repeat(20)}`));
  const row = page.getByRole('row').filter({ hasText: 'WWWW' });
  await row.waitFor();
  expect((await row.boundingBox())?.height).toBeLessThan(100);
  expect(await page.evaluate(() => document.body.scrollWidth - window.innerWidth)).toBeLessThanOrEqual(0);
});

test('Escape asks before it discards a filled form, and an ended session gives it back after the sign-in', async () => {
  const page = await openPage(demo);
  await openGuildPage(page, 'discharges');
  await page.getByRole('button', { name: 'Add discharge' }).click();
  const form = page.getByRole('dialog', { name: 'Add a discharge' });
  for (const name of ['Name', 'Player id', 'Chat id']) await field(form, name).fill(`${name} of Wren`);
  await page.keyboard.press('Escape');
  const question = page.getByRole('dialog', { name: 'Discard what you entered?' });
  await question.waitFor();
  await page.keyboard.press('Escape');
  await question.waitFor({ state: 'detached' });
  expect(await field(form, 'Name').inputValue()).toBe('Name of Wren');

  await page.context().clearCookies();
  await form.getByRole('button', { name: 'Add discharge' }).click();
  await page.getByText('Your session has ended').waitFor();
  await page.getByRole('link', { name: 'Sign in with your chat account' }).click();
  await page.getByRole('button', { name: /owner of (?!.*no plan)/i }).click();
  await form.getByText('What you had entered is back').waitFor();
  expect(await field(form, 'Chat id').inputValue()).toBe('Chat id of Wren');
  await form.getByRole('button', { name: 'Add discharge' }).click();
  await page.getByText('Discharge added').waitFor();
});

interface DraftedForm {
  path: string;
  /** Opens the form on its page. */
  open: (page: Page) => Promise<Locator>;
  label: string;
  text: string;
}

const dialogOf = async (page: Page, opener: string, title: string) => {
  await page.getByRole('button', { name: opener, exact: true }).first().click();
  return page.getByRole('dialog', { name: title });
};

/** One form of each page. The first five are tried in every run, and all in npm run test:deep. */
const draftedForms: readonly DraftedForm[] = [
  {
    path: `discharges?record=${sampleDischargeId}`,
    open: (page) => dialogOf(page, 'Edit', 'Edit this discharge'),
    label: 'Signed by',
    text: 'Niall of the Draft',
  },
  {
    path: 'keys',
    open: (page) => dialogOf(page, 'Create key', 'Create key'),
    label: 'Name',
    text: 'Draft of a key',
  },
  {
    path: `ledger/${samplePerson.playerId}`,
    open: (page) => dialogOf(page, 'New transaction', 'New transaction'),
    label: 'Name',
    text: 'Draft of a transaction',
  },
  {
    path: 'webhooks',
    open: (page) => dialogOf(page, 'Add webhook', 'Add a webhook'),
    label: 'Address',
    text: 'https://example.org/draft',
  },
  {
    path: 'settings',
    open: async (page) => page.getByRole('main'),
    label: 'Name of the currency',
    text: 'drafts',
  },
  {
    path: 'roles',
    open: (page) => dialogOf(page, 'Invite somebody', 'Invite somebody'),
    label: 'Chat id',
    text: '4711',
  },
  {
    path: `ledger/${samplePerson.playerId}`,
    open: (page) => dialogOf(page, 'Change', 'Lowest balance'),
    label: 'Lowest balance',
    text: '-12.5',
  },
];

/** Sends the form that is open, if it still is: a page that asks for something by itself may notice the end first. */
const sendForm = (page: Page) =>
  page.evaluate(() =>
    [...document.querySelectorAll<HTMLButtonElement>('button[type="submit"]:enabled')].at(-1)?.click(),
  );

test('what was entered on any page is back after the session has ended', async () => {
  const page = await openPage(demo);
  await openGuildPage(page, 'people');
  const tried = draftedForms.slice(0, depth({ normal: 5, deep: draftedForms.length }));
  for (const { path, open, label, text } of tried) {
    await visit(page, guildPagePath(path));
    const form = await open(page);
    await field(form, label).fill(text);
    await page.context().clearCookies();
    await sendForm(page);
    await page.getByText('Your session has ended').waitFor();
    await enter(page, 'owner', guildPagePath(path));
    await form.getByText('What you had entered is back').waitFor();
    expect(await field(form, label).inputValue()).toBe(text);
  }
});

test('settings ask before they discard what was entered, and a calendar is found by its name', async () => {
  const page = await openPage(demo);
  await openGuildPage(page, 'settings');
  const main = page.getByRole('main');
  await field(main, 'Name of the currency').fill('half a name');
  const question = page.getByRole('dialog', { name: 'Discard what you entered?' });
  await page.getByRole('link', { name: 'Ledger' }).click();
  await question.getByRole('button', { name: 'Keep editing' }).click();
  expect(await field(main, 'Name of the currency').inputValue()).toBe('half a name');
  await page.getByRole('link', { name: 'Ledger' }).click();
  await question.getByRole('button', { name: 'Discard' }).click();
  await page.getByRole('heading', { name: 'Ledger', level: 1 }).waitFor();

  await visit(page, guildPagePath('settings'));
  await main.getByRole('combobox', { name: 'Calendar' }).fill('tok');
  await page.getByRole('option', { name: 'Asia/Tokyo' }).click();
  await main.getByRole('button', { name: 'Save settings' }).click();
  await page.getByText('Settings saved').waitFor();
  await page.getByRole('link', { name: 'Ledger' }).click();
  await page.getByText(/^Days (are|and times are) in Asia\/Tokyo/).waitFor();
  const settings = [{ method: 'PUT', route: 'settings', body: { timeZone: null } }];
  expect(await sendChanges(page, settings)).toEqual([200]);
});
