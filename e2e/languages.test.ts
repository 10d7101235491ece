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

/** The places of this page that are wider than the window. */
async function tooWide(page: Page, path: string): Promise<string[]> {
  await waitUntilLoaded(page);
  const wide = await page.evaluate(() =>
    document.documentElement.scrollWidth <= window.innerWidth
      ? undefined
      : [...document.body.querySelectorAll('*')]
          .filter((element) => element.getBoundingClientRect().right > window.innerWidth)
          .map((element) => `${element.tagName} ${element.className}`)
          .join(', '),
  );
  return wide === undefined ? [] : [`${path}: ${wide}`];
}

// A window for each width: Chromium stops drawing now and then when a window is resized dozens of times on a busy machine.
test.each([1440, 820, 390])(
  'longer texts leave every page as wide as a window of %i pixels',
  async (width) => {
    const page = await openPage(demo, { viewport: { width, height: 900 } });
    await openGuildPage(page, 'ledger');
    await usePseudoLanguage(page);
    await page.reload();
    const heading = page.getByRole('heading', { level: 1, name: textMark });
    const found: string[] = [];
    const person = `people/${samplePerson.playerId}`;
    const paths = ['', 'ledger', 'people', person, `${person}?tab=statement`, 'discharges', 'audit', 'keys'];
    for (const path of [...paths, 'requests', 'webhooks', 'roles', 'settings', 'board']) {
      await visit(page, guildPagePath(path));
      // The heading of a person's page is the person's name.
      await (path === person ? page.getByRole('tab', { name: textMark }).first() : heading).waitFor();
      found.push(...(await tooWide(page, path)));
    }
    for (const address of ['/dashboard/commands', '/receipt', '/docs']) {
      await page.goto(address);
      await page.getByRole('heading', { level: 1 }).waitFor();
      found.push(...(await tooWide(page, address)));
    }
    expect(found).toEqual([]);
    expect(await page.evaluate(() => document.documentElement.lang)).toBe('en-XA');
  },
);
