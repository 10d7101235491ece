import type { Locator, Page } from 'playwright-core';
import { expect, test } from 'vitest';
import { depth } from '../server/test/support/depth.ts';
import { openPage, useChromium } from './support/browser.ts';
import { useDemo } from './support/demo.ts';
import { waitMs } from './support/patience.ts';
import {
  askRoute,
  enterRoom,
  field,
  readDownload,
  roomPath,
  sampleDischargeId,
  samplePerson,
  sendChanges,
} from './support/rooms.ts';
import { enter } from './support/steps.ts';
import { visit } from './support/visit.ts';

useChromium();
const demo = useDemo();

const transfer = {
  playerId: '550002',
  name: 'Alder Quick',
  from: 'Outriders',
  to: 'River Watch',
  signed: '',
  date: '2026-03-01T08:30:15.000Z',
};

async function change(page: Page, method: string, route: string, body: object): Promise<void> {
  expect(await sendChanges(page, [{ method, route, body }])).toEqual([200]);
}

async function openForm(page: Page, id: string): Promise<Locator> {
  await page.goto(roomPath(`transfers?record=${id}`));
  await page.getByRole('button', { name: 'Edit' }).click();
  const form = page.getByRole('dialog', { name: 'Edit this transfer' });
  await field(form, 'To').waitFor();
  return form;
}

test('of two who edit one record the second sees both versions and chooses', async () => {
  const page = await openPage(demo);
  await enterRoom(page, 'transfers');
  await change(page, 'POST', 'transfers', { ...transfer, id: 'shared' });
  const form = await openForm(page, 'shared');
  await field(form, 'To').fill('Mine');
  await field(form, 'Name').fill('Alder the Quick');
  await change(page, 'PUT', 'transfers/shared', { ...transfer, to: 'Theirs', signed: 'Niall' });

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

test('a transfer needs where from and where to; a deleted one can be had again', async () => {
  const page = await openPage(demo);
  await enterRoom(page, 'transfers');
  await page.getByRole('button', { name: 'Add transfer' }).click();
  const form = page.getByRole('dialog', { name: 'Add a transfer' });
  await form.getByRole('button', { name: 'Add transfer' }).click();
  await expect.poll(() => form.getByText('Needed for every record').count(), { timeout: waitMs }).toBe(4);
  await page.keyboard.press('Escape');
  await form.waitFor({ state: 'detached' });

  await change(page, 'POST', 'transfers', { ...transfer, id: 'gone' });
  await page.goto(roomPath('transfers?record=gone'));
  await page.getByRole('button', { name: 'Delete', exact: true }).click();
  await page.getByRole('button', { name: 'Delete transfer' }).click();
  await page.getByRole('button', { name: 'Undo' }).click();
  await page.getByText('Transfer restored').waitFor();
  expect((await askRoute(page, 'transfers/gone')).body).toMatchObject({ data: transfer });

  // A name as long as the service takes it leaves the row a row, and the page as wide as the window.
  await change(page, 'POST', 'transfers', { ...transfer, id: 'long', name: 'W'.repeat(200) });
  await page.goto(roomPath(`transfers?query=${'W'.repeat(20)}`));
  const row = page.getByRole('row').filter({ hasText: 'WWWW' });
  await row.waitFor();
  expect((await row.boundingBox())?.height).toBeLessThan(100);
  expect(await page.evaluate(() => document.body.scrollWidth - window.innerWidth)).toBeLessThanOrEqual(0);
});

test('Escape asks before it discards a filled form, and an ended session gives it back after the sign-in', async () => {
  const page = await openPage(demo);
  await enterRoom(page, 'discharges');
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
  room: string;
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
    room: `discharges?record=${sampleDischargeId}`,
    open: (page) => dialogOf(page, 'Edit', 'Edit this discharge'),
    label: 'Signed by',
    text: 'Niall of the Draft',
  },
  {
    room: 'keys',
    open: (page) => dialogOf(page, 'Create key', 'Create a key'),
    label: 'Name',
    text: 'Draft of a key',
  },
  {
    room: `ledger/${samplePerson.playerId}`,
    open: (page) => dialogOf(page, 'Post a correction', 'Post a correction'),
    label: 'Name',
    text: 'Draft of a correction',
  },
  {
    room: 'webhooks',
    open: (page) => dialogOf(page, 'Add webhook', 'Add a webhook'),
    label: 'Address',
    text: 'https://example.org/draft',
  },
  {
    room: 'settings',
    open: async (page) => page.getByRole('main'),
    label: 'Name of the currency',
    text: 'drafts',
  },
  {
    room: 'roles',
    open: (page) => dialogOf(page, 'Invite somebody', 'Invite somebody'),
    label: 'Chat id',
    text: '4711',
  },
  {
    room: `ledger/${samplePerson.playerId}`,
    open: (page) => dialogOf(page, 'Change', 'Lowest balance'),
    label: 'Lowest balance',
    text: '-12.5',
  },
];

/** Sends the form that is open, if it still is: a page that asks for something by itself may notice the end first. */
const sendForm = (page: Page) =>
  page.evaluate(() =>
    [...document.querySelectorAll<HTMLButtonElement>('button[type="submit"]')].at(-1)?.click(),
  );

test('what was entered on any page is back after the session has ended', async () => {
  const page = await openPage(demo);
  await enterRoom(page, 'people');
  const tried = draftedForms.slice(0, depth({ normal: 5, deep: draftedForms.length }));
  for (const { room, open, label, text } of tried) {
    await visit(page, roomPath(room));
    const form = await open(page);
    await field(form, label).fill(text);
    await page.context().clearCookies();
    await sendForm(page);
    await page.getByText('Your session has ended').waitFor();
    await enter(page, 'owner', roomPath(room));
    await form.getByText('What you had entered is back').waitFor();
    expect(await field(form, label).inputValue()).toBe(text);
  }
});

/** Goes to something by the Tab key alone, as somebody without a mouse does. */
async function tabTo(page: Page, target: Locator): Promise<void> {
  await target.waitFor();
  for (let count = 0; count < 100; count += 1) {
    if (await target.evaluate((element) => element === document.activeElement)) return;
    await page.keyboard.press('Tab');
  }
  throw new Error(`The Tab key does not lead to ${target}`);
}

const stepsMax = 5;

/** A job in named steps, of which there may be five. */
async function inSteps(steps: readonly (() => Promise<unknown>)[]): Promise<void> {
  expect(steps.length).toBeLessThanOrEqual(stepsMax);
  for (const step of steps) await step();
}

/** Searches with the palette and opens the first result; typing waits for nothing. */
async function searchFor(page: Page, text: string): Promise<void> {
  await page.keyboard.press('/');
  await page.getByRole('textbox', { name: /^Search people/ }).waitFor();
  await page.keyboard.type(text);
  await page.keyboard.press('Enter');
}

test('by keyboard alone a person is found by a part of a former name, and who changed a record is seen', async () => {
  const page = await openPage(demo);
  await enterRoom(page, 'people');
  const { username, pastUsername, playerId } = samplePerson;
  await inSteps([
    () => searchFor(page, pastUsername.slice(2, -1)),
    () => page.getByRole('heading', { name: username, level: 1 }).waitFor(),
  ]);
  expect(new URL(page.url()).pathname).toContain(playerId);

  await change(page, 'POST', 'transfers', { ...transfer, id: 'who-did-it' });
  await change(page, 'PUT', 'transfers/who-did-it', { ...transfer, signed: 'Niall' });
  const history = page
    .getByRole('dialog')
    .getByRole('listitem')
    .filter({ hasText: 'signed by empty → Niall' });
  await inSteps([() => searchFor(page, 'ho-did-i'), () => history.waitFor()]);
  expect(await history.innerText()).toContain('vesna_of_brackwater changed');
});

test('by keyboard alone a record is added and edited, and a key is made that works', async () => {
  const page = await openPage(demo);
  await enterRoom(page, 'people');
  const dialog = page.getByRole('dialog');
  const press = async (target: Locator) => {
    await tabTo(page, target);
    await page.keyboard.press('Enter');
  };
  await inSteps([
    () => page.keyboard.press('g').then(() => page.keyboard.press('t')),
    () => press(page.getByRole('button', { name: 'Add transfer' })),
    async () => {
      const values = { Name: 'Key Board', 'Player id': '77', From: 'A', To: 'B' };
      for (const [name, value] of Object.entries(values)) {
        await tabTo(page, field(dialog, name));
        await page.keyboard.type(value);
      }
      await page.keyboard.press('Enter');
      await page.getByText('Transfer added').waitFor();
    },
    () => press(page.getByRole('button', { name: /^Key Board.*show details$/ })),
    async () => {
      await press(dialog.getByRole('button', { name: 'Edit' }));
      const form = page.getByRole('dialog', { name: 'Edit this transfer' });
      await tabTo(page, field(form, 'To'));
      await page.keyboard.type(' too');
      await page.keyboard.press('Enter');
      await page.getByText('Transfer changed').waitFor();
    },
  ]);
  await page.keyboard.press('Escape');
  await dialog.waitFor({ state: 'detached' });

  await inSteps([
    () => searchFor(page, 'create a key'),
    async () => {
      await dialog.getByLabel('Name').waitFor();
      await page.keyboard.type('By keyboard');
      await page.keyboard.press('Enter');
    },
    async () => {
      const key = (await page.getByTestId('key-value').textContent()) ?? '';
      const answer = await fetch(`${demo.address}/guild/key`, { headers: { 'x-api-key': key } });
      expect(answer.status).toBe(200);
    },
  ]);
});

test('by keyboard alone a month is exported, and a change of a balance is found and undone', async () => {
  const page = await openPage(demo);
  await enterRoom(page, 'people');
  const press = async (target: Locator) => {
    await tabTo(page, target);
    await page.keyboard.press('Enter');
  };
  const month = new Intl.DateTimeFormat('en-GB', { month: 'short', year: 'numeric', timeZone: 'UTC' });
  const label = month.format(new Date().setUTCDate(0));
  const saved = page.waitForEvent('download');
  await inSteps([
    () => page.keyboard.press('g').then(() => page.keyboard.press('l')),
    () => press(page.getByRole('button', { name: /^Date range/ })),
    () => press(page.getByRole('button', { name: label })),
    async () => {
      await page.getByRole('button', { name: `Date range: ${label}` }).waitFor();
      await press(page.getByRole('link', { name: 'Export CSV' }));
    },
  ]);
  expect((await readDownload(await saved)).split('\n').length).toBeGreaterThan(50);

  // Why it changed: a bar of the overview, then one of its rows; and back with it.
  await change(page, 'POST', `players/${samplePerson.playerId}/transactions`, {
    name: 'Slip',
    quantity: 1,
    amount: 9_999,
  });
  // Without the month, which would go along.
  await visit(page, roomPath('people'));
  await page.getByRole('heading', { name: 'People', level: 1 }).waitFor();
  const details = page.getByRole('dialog', { name: 'Deposit' });
  await inSteps([
    async () => {
      await page.keyboard.press('g').then(() => page.keyboard.press('o'));
      await page.getByRole('heading', { name: 'Money in and out' }).waitFor();
      await tabTo(page, page.locator('figure table a[tabindex="0"]').first());
      // Of the newest bar what came in, which stands above what went out.
      await page.keyboard.press('ArrowUp');
      await page.keyboard.press('Enter');
      await page.waitForURL(/\/ledger\?since=/);
    },
    () => press(page.getByRole('button', { name: /^Slip.*show details$/ })),
    () => details.getByText('Posted by').waitFor(),
    () => press(details.getByRole('button', { name: 'Reverse' })),
    async () => {
      const form = page.getByRole('dialog', { name: 'Reverse the transaction' });
      await tabTo(page, form.getByLabel('Reason'));
      await page.keyboard.press('Enter');
      await page.getByText('Transaction reversed').waitFor();
    },
  ]);
});
