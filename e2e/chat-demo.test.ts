import type { Page } from 'playwright-core';
import { expect, test } from 'vitest';
import { analyze } from './support/axe.ts';
import { openPage, useChromium } from './support/browser.ts';
import { useDemo } from './support/demo.ts';
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
