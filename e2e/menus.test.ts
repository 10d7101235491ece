import type { Page } from 'playwright-core';
import { expect, test } from 'vitest';
import { FONTS } from '../dashboard/src/app/load-fonts.ts';
import { openPage, useChromium } from './support/browser.ts';
import { useDemo } from './support/demo.ts';
import { openGuildPage } from './support/guild-pages.ts';
import { waitUntilLoaded } from './support/steps.ts';

useChromium();
const demo = useDemo();

/** Holds back the code of a menu or a hint until it is let through. */
async function holdBack(page: Page, name: string): Promise<() => void> {
  const { promise, resolve } = Promise.withResolvers<void>();
  await page.route(`**/assets/${name}-*.js`, async (route) => {
    await promise;
    await route.continue();
  });
  return resolve;
}

const focusedRole = (page: Page) => page.evaluate(() => document.activeElement?.getAttribute('role'));

test('a menu whose code arrives after the click opens then, and its dialog stays open', async () => {
  const page = await openPage(demo);
  const letThrough = await holdBack(page, 'UserMenuItems');
  await openGuildPage(page, 'people');
  const control = page.getByRole('button', { name: /^Account of/ });
  await control.click();
  expect(await page.getByRole('menu').count()).toBe(0);
  letThrough();
  await page.getByRole('menu').waitFor();
  expect(await control.getAttribute('aria-expanded')).toBe('true');
  const menuId = (await control.getAttribute('aria-controls')) ?? '';
  expect(await page.getByRole('menu').getAttribute('id')).toBe(menuId);
  // The choice closes the menu. Its dialog must stay.
  await page.getByRole('menuitem', { name: 'Sign out everywhere' }).click();
  const dialog = page.getByRole('dialog', { name: 'Sign out everywhere?' });
  await dialog.waitFor();
  await page.getByRole('menu').waitFor({ state: 'detached' });
  await dialog.getByRole('button', { name: 'Stay signed in' }).click();
  await dialog.waitFor({ state: 'detached' });
});

test('a menu whose code arrives late is used by keyboard, and gives the focus back', async () => {
  const page = await openPage(demo);
  const letThrough = await holdBack(page, 'GuildSwitcherItems');
  await openGuildPage(page, 'people');
  const control = page.getByRole('button', { name: 'The Emberhold Vanguard' });
  await control.focus();
  await page.keyboard.press('Enter');
  letThrough();
  await page.getByRole('menu').waitFor();
  await page.keyboard.press('ArrowDown');
  await expect.poll(() => focusedRole(page)).toBe('menuitem');
  await page.keyboard.press('Escape');
  await page.getByRole('menu').waitFor({ state: 'detached' });
  await expect.poll(() => control.evaluate((node) => node === document.activeElement)).toBe(true);
});

test('a hint appears for the pointer and for the keyboard, and the Escape key closes it', async () => {
  const page = await openPage(demo);
  const letThrough = await holdBack(page, 'HintBubble');
  await openGuildPage(page, 'people');
  const control = page.getByRole('button', { name: /colour scheme$/ });
  await control.hover();
  letThrough();
  const hint = page.getByRole('tooltip');
  await hint.waitFor();
  expect(await hint.innerText()).toMatch(/colour scheme$/);
  await page.keyboard.press('Escape');
  await hint.waitFor({ state: 'detached' });
  await page.mouse.move(0, 400);

  await page.getByRole('button', { name: /^Account of/ }).focus();
  await page.keyboard.press('Shift+Tab');
  await hint.waitFor();
  const described = await control.evaluate((one) => {
    const id = one.getAttribute('aria-describedby') ?? '';
    return document.getElementById(id)?.textContent;
  });
  expect(described).toBe(await hint.innerText());
  await page.keyboard.press('Tab');
  await hint.waitFor({ state: 'detached' });
});

test('a page whose hints cannot be loaded goes on without them', async () => {
  const page = await openPage(demo);
  await page.route('**/assets/HintBubble-*.js', (route) => route.abort());
  await openGuildPage(page, 'people');
  await page.getByRole('button', { name: /colour scheme$/ }).hover();
  await page.getByRole('button', { name: /^Account of/ }).click();
  await page.getByRole('menu').waitFor();
  expect(await page.getByRole('tooltip').count()).toBe(0);
});

test('a touch shows what a mark means, and a touch elsewhere hides it', async () => {
  const page = await openPage(demo, { hasTouch: true });
  await openGuildPage(page, 'keys');
  await page.getByRole('main').locator('code', { hasText: 'guild:read' }).first().tap();
  const hint = page.getByRole('tooltip');
  await hint.waitFor();
  expect(await hint.innerText()).toBe('Look up discharges, transfers and ledger transactions of this guild.');
  await page.getByRole('heading', { level: 1 }).tap();
  await hint.waitFor({ state: 'detached' });
});

test.each(['', 'ledger', 'people'])(
  'the fonts of the first screen of "%s" are found before it is drawn',
  async (place) => {
    const page = await openPage(demo);
    await openGuildPage(page, place);
    await waitUntilLoaded(page);
    const used = await page.locator('#root').evaluate((root) => {
      const found = new Set<string>();
      const texts = document.createTreeWalker(root, NodeFilter.SHOW_TEXT);
      while (texts.nextNode()) {
        const { parentElement: parent, textContent } = texts.currentNode;
        const box = parent?.getBoundingClientRect();
        if (parent === null || box === undefined || textContent?.trim() === '') continue;
        const isSeen =
          box.width > 0 && box.top < innerHeight && parent.checkVisibility({ visibilityProperty: true });
        const { fontFamily, fontSize, fontWeight } = getComputedStyle(parent);
        if (isSeen && !fontFamily.includes('mono')) found.add(`${fontSize} ${fontWeight}`);
      }
      return [...found].sort();
    });
    const listed = FONTS.flatMap(([size, weights]) => weights.map((weight) => `${size}px ${weight}`));
    expect(used.length).toBeGreaterThan(3);
    expect(used.filter((font) => !listed.includes(font))).toEqual([]);
  },
);
