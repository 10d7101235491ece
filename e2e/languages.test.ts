import type { Page } from 'playwright-core';
import { expect, test } from 'vitest';
import { openPage, useChromium } from './support/browser.ts';
import { useDemo } from './support/demo.ts';
import { guildPagePath, openGuildPage, samplePerson } from './support/guild-pages.ts';
import { textMark, usePseudoLanguage } from './support/pseudo-language.ts';
import { waitUntilLoaded } from './support/steps.ts';
import { visit } from './support/visit.ts';

useChromium();
const demo = useDemo();

const widths = [1440, 820, 390];

/** The places of this page that are wider than the window, at each width. */
async function tooWide(page: Page, path: string): Promise<string[]> {
  const found: string[] = [];
  for (const width of widths) {
    await page.setViewportSize({ width, height: 900 });
    await waitUntilLoaded(page);
    const wide = await page.evaluate(() =>
      document.documentElement.scrollWidth <= window.innerWidth
        ? undefined
        : [...document.body.querySelectorAll('*')]
            .filter((element) => element.getBoundingClientRect().right > window.innerWidth)
            .map((element) => `${element.tagName} ${element.className}`)
            .join(', '),
    );
    if (wide !== undefined) found.push(`${path} at ${width}: ${wide}`);
  }
  return found;
}

test('texts that are 40 % longer leave every page as wide as the window', async () => {
  const page = await openPage(demo);
  await openGuildPage(page, 'ledger');
  await usePseudoLanguage(page);
  await page.reload();
  const heading = page.getByRole('heading', { level: 1, name: textMark });
  const found: string[] = [];
  const person = `people/${samplePerson.playerId}`;
  const paths = ['', 'ledger', 'people', person, `${person}?tab=statement`, 'discharges', 'audit', 'keys'];
  for (const path of [...paths, 'requests', 'webhooks', 'roles', 'settings', 'board']) {
    await visit(page, guildPagePath(path));
    // Every page but a person's, whose name is data, has its title as a heading.
    await (path.startsWith('people/')
      ? page.getByRole('tab', { name: textMark }).first()
      : heading
    ).waitFor();
    found.push(...(await tooWide(page, path)));
  }
  for (const address of ['/dashboard/commands', '/receipt', '/docs']) {
    await page.goto(address);
    await page.getByRole('heading', { level: 1 }).waitFor();
    found.push(...(await tooWide(page, address)));
  }
  expect(found).toEqual([]);
  expect(await page.evaluate(() => document.documentElement.lang)).toBe('en-XA');
});
