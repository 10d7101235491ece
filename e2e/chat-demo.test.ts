import type { Page } from 'playwright-core';
import { expect, test } from 'vitest';
import { analyze } from './support/axe.ts';
import { openPage, useChromium } from './support/browser.ts';
import { useDemo } from './support/demo.ts';
import { openGuildPage } from './support/guild-pages.ts';
import { waitMs } from './support/patience.ts';

useChromium();
const demo = useDemo();

/** The channel's page, in a browser that may load nothing from elsewhere. */
async function openChannel(person: RegExp): Promise<Page> {
  const address = /^ *Channel +(\S+)\/channel$/m.exec(demo.output())?.[1] ?? '';
  const page = await openPage({ ...demo, address });
  await page.goto('/channel');
  await page.locator('html[data-ready]').waitFor();
  await page.getByRole('radio', { name: person }).check();
  return page;
}

test('a command is found, filled in and sent by the keyboard alone, and its answer is private', async () => {
  const page = await openChannel(/maren_of_northgate/);
  const line = page.getByRole('combobox', { name: 'Message or command' });
  await line.focus();
  await page.keyboard.type('/bal');
  await page.getByRole('option', { name: '/balance', selected: true }).waitFor();
  await page.keyboard.press('Enter');
  await page.getByRole('combobox', { name: 'Add an option' }).waitFor();
  await page.keyboard.press('Enter');
  const answer = page.locator('.message.private', { hasText: 'used /balance' });
  await answer.getByText('Only you can see this').waitFor();
  await answer.getByText('Last change').waitFor();
  expect(await answer.getByText(/^@maren_of_northgate$/).count()).toBe(1);

  // The same for another member, shared with everybody.
  await page.keyboard.type('/balance ');
  await page.getByRole('option', { name: 'member' }).click();
  await page.keyboard.type('dagny');
  await page.getByRole('option', { name: 'DagnyThornbury', selected: true }).waitFor();
  await page.keyboard.press('Tab');
  await page.keyboard.type('share');
  await page.getByRole('option', { name: 'share', selected: true }).waitFor();
  await page.keyboard.press('Tab');
  await page.getByRole('option', { name: 'True', selected: true }).waitFor();
  await page.keyboard.press('Enter');
  await page.keyboard.press('Enter');
  const shared = page.locator('.message:not(.private)', { hasText: 'used /balance' });
  await shared.getByText('DagnyThornbury', { exact: true }).waitFor();

  await page.getByRole('radio', { name: /DagnyThornbury/ }).check();
  await answer.waitFor({ state: 'detached' });
  await shared.waitFor();
  await page.getByRole('radio', { name: /maren_of_northgate/ }).check();
  await answer.waitFor();
  await line.fill('/');
  await page.getByRole('option', { name: '/balance' }).waitFor();
  for (const colorScheme of ['light', 'dark'] as const) {
    await page.emulateMedia({ colorScheme });
    expect(await analyze(page, colorScheme)).toEqual([]);
  }
  await page.setViewportSize({ width: 390, height: 844 });
  await page.getByRole('button', { name: 'Write as maren_of_northgate' }).click();
  await page.getByRole('radio', { name: /vesna/ }).waitFor();
  expect(await analyze(page, 'phone')).toEqual([]);
  await expect
    .poll(() => page.evaluate(() => document.documentElement.scrollWidth - innerWidth), { timeout: waitMs })
    .toBe(0);
});

test('a receipt is a link to the page of this service that checks it', async () => {
  const page = await openChannel(/maren_of_northgate/);
  await page.getByRole('combobox', { name: 'Message or command' }).focus();
  await page.keyboard.type('/receipt ');
  await page.getByRole('option').last().click();
  await page.keyboard.press('Enter');
  const answer = page.locator('.message.private', { hasText: 'used /receipt' });
  const address = await answer.getByRole('link', { name: 'Check the receipt' }).getAttribute('href');
  expect(address?.startsWith(`${demo.address}/receipt#receipt=`)).toBe(true);
});

test('a payment is confirmed with a button, and pays once however often it is pressed', async () => {
  const page = await openChannel(/vesna_of_brackwater/);
  await page.getByRole('button', { name: '/leaderboard' }).click();
  const leaders = page.locator('.message.private', { hasText: 'used /leaderboard' });
  await leaders.getByText('You', { exact: true }).waitFor();
  await page.keyboard.type('/pay ');
  await page.keyboard.type('dagny');
  await page.getByRole('option', { name: 'DagnyThornbury', selected: true }).waitFor();
  await page.keyboard.press('Enter');
  await page.keyboard.type('nothing');
  await page.keyboard.press('Enter');
  await page.getByText('amount has to be a number').waitFor();
  await page.getByRole('combobox', { name: 'amount' }).fill('2.5');
  await page.keyboard.press('Enter');
  const asked = page.locator('.message.private', { hasText: 'used /pay' });
  const after = await asked.locator('dt:text-is("Your balance afterwards") + dd').innerText();
  const button = asked.getByRole('button', { name: 'Pay', exact: true });
  const as = await page.getByRole('radio', { checked: true }).inputValue();
  const messageId = (await asked.getAttribute('id'))?.replace('message-', '');
  const press = { as, messageId, action: await button.getAttribute('data-action') };
  // All in one step of the page: the first answer takes the button away.
  await button.evaluate((one: HTMLElement, body) => {
    one.click();
    one.click();
    const init = { method: 'POST', headers: { 'content-type': 'application/json' }, body };
    return Promise.all([1, 2, 3].map(() => fetch('/channel/buttons', init)));
  }, JSON.stringify(press));
  await expect
    .poll(() => asked.locator('dt:text-is("Your balance") + dd').innerText(), { timeout: waitMs })
    .toBe(after);
  expect(await asked.getByRole('button', { name: 'Pay', exact: true }).count()).toBe(0);
  await page.keyboard.type('/balance ');
  await page.keyboard.press('Enter');
  const balance = page.locator('.message.private', { hasText: 'used /balance' }).locator('.text strong');
  await expect.poll(() => balance.first().innerText(), { timeout: waitMs }).toBe(after);
});

test('the settings switch a command off, and the command says so', async () => {
  const settings = await openPage(demo);
  await openGuildPage(settings, 'settings');
  const toggle = async () => {
    await settings.getByRole('switch', { name: '/leaderboard' }).click();
    await settings.getByRole('button', { name: 'Save commands' }).click();
    await settings.getByText('Commands saved').first().waitFor();
    await settings.getByRole('button', { name: 'Save commands', disabled: true }).waitFor();
  };
  await toggle();
  const page = await openChannel(/maren_of_northgate/);
  await page.getByRole('button', { name: '/leaderboard' }).click();
  const answers = page.locator('.message.private', { hasText: 'used /leaderboard' });
  await answers.getByText('This server has switched off /leaderboard.').waitFor();
  await toggle();
  await page.keyboard.type('/leaderboard ');
  await page.keyboard.press('Enter');
  await answers.getByText('You', { exact: true }).waitFor();
});
