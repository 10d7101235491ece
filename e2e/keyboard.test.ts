import type { Locator, Page } from 'playwright-core';
import { expect, test } from 'vitest';
import { openPage, useChromium } from './support/browser.ts';
import { useDemo } from './support/demo.ts';
import {
  change,
  field,
  guildPagePath,
  newTransfer,
  openGuildPage,
  readDownload,
  samplePerson,
} from './support/guild-pages.ts';
import { visit } from './support/visit.ts';

useChromium();
const demo = useDemo();

/** Goes to something by the Tab key alone, as somebody without a mouse does. */
async function tabTo(page: Page, target: Locator): Promise<void> {
  let element = await target.elementHandle();
  for (let count = 0; count < 100; count += 1) {
    const state = await element?.evaluate((one) => ({
      isThere: one.isConnected,
      hasFocus: one === document.activeElement,
    }));
    if (state?.hasFocus) return;
    // It is looked for again only when it was drawn anew: that takes longer than everything else here.
    if (!state?.isThere) element = await target.elementHandle();
    await page.keyboard.press('Tab');
  }
  throw new Error(`The Tab key does not lead to ${target}`);
}

const stepsMax = 5;

/** Runs a job in at most `stepsMax` steps. */
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
  await openGuildPage(page, 'people');
  const { username, pastUsername, playerId } = samplePerson;
  await inSteps([
    () => searchFor(page, pastUsername.slice(2, -1)),
    () => page.getByRole('heading', { name: username, level: 1 }).waitFor(),
  ]);
  expect(new URL(page.url()).pathname).toContain(playerId);

  await change(page, 'POST', 'transfers', { ...newTransfer, id: 'who-did-it' });
  await change(page, 'PUT', 'transfers/who-did-it', { ...newTransfer, signed: 'Niall' });
  const history = page
    .getByRole('dialog')
    .getByRole('listitem')
    .filter({ hasText: 'signed by empty → Niall' });
  await inSteps([() => searchFor(page, 'ho-did-i'), () => history.waitFor()]);
  expect(await history.innerText()).toContain('vesna_of_brackwater changed');
});

test('by keyboard alone a record is added and edited, and a key is made that works', async () => {
  const page = await openPage(demo);
  await openGuildPage(page, 'people');
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
    () => searchFor(page, 'create key'),
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
  await openGuildPage(page, 'people');
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
      await page.getByRole('button', { name: `Date range: ${label}`, exact: true }).waitFor();
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
  await visit(page, guildPagePath('people'));
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
