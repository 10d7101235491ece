import type { Page } from 'playwright-core';
import { expect, test } from 'vitest';
import { otherLanguages } from '../dashboard/read-catalogues.ts';
import { isDeep } from '../server/test/support/depth.ts';
import { findViolations, leaveFewOperations } from './support/axe.ts';
import { openPage, useChromium } from './support/browser.ts';
import { useDemo } from './support/demo.ts';
import { guildPagePath, openGuildPage, sampleDischargeId, samplePerson } from './support/guild-pages.ts';
import { textMark, usePseudoLanguage } from './support/pseudo-language.ts';
import { waitUntilLoaded } from './support/steps.ts';
import { readTranslations, type Translate } from './support/translated.ts';
import { visit } from './support/visit.ts';

useChromium();
const demo = useDemo();
const person = `people/${samplePerson.playerId}`;

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

/** Pages, each with its heading. */
const views = [
  ['', 'Overview'],
  ['keys', 'API keys'],
  ['settings', 'Guild settings'],
] as const;
const furtherViews = [
  ['ledger', 'Ledger'],
  ['people', 'People'],
  [person, samplePerson.username],
  [`${person}?tab=records`, samplePerson.username],
  [`${person}?tab=accounts`, samplePerson.username],
  [`${person}?tab=history`, samplePerson.username],
  [`${person}?tab=statement&range=7d`, 'Statement of {name}'],
  ['discharges?limit=5', 'Records'],
  ['audit?kind=key', 'Audit log'],
  ['requests', 'Requests'],
  ['webhooks', 'Webhooks'],
  ['roles', 'Roles'],
  ['board', 'Public board'],
  ['nowhere', 'There is no page at this address'],
] as const;
const furtherPages = [
  ['/dashboard/', 'Your guilds'],
  ['/dashboard/commands', 'Commands'],
  ['/receipt', 'Check a receipt'],
] as const;

/** Goes through the pages, by names that are in their language. */
interface Tour {
  page: Page;
  text: Translate;
  judge(place: string): Promise<void>;
}

async function judgePages({ page, text, judge }: Tour): Promise<void> {
  for (const [path, title] of isDeep ? [...views, ...furtherViews] : views) {
    await visit(page, guildPagePath(path));
    const name = title === samplePerson.username ? title : text(title);
    await page.getByRole('heading', { level: 1, name }).waitFor();
    await judge(path);
  }
}

async function judgeDialogs({ page, text, judge }: Tour): Promise<void> {
  const dialog = page.getByRole('dialog');
  const item = (name: string) => page.getByRole('menuitem', { name: text(name) });
  const press = (name: string) =>
    page
      .getByRole('button', { name: text(name) })
      .first()
      .click();
  const judgeDialog = async (place: string) => {
    await dialog.waitFor();
    await judge(place);
    await page.keyboard.press('Escape');
    await dialog.waitFor({ state: 'detached' });
  };
  await visit(page, guildPagePath('keys'));
  await press('Create key');
  await judgeDialog('new key');
  if (!isDeep) return;
  await press('Account of {name}');
  await item('Sign out everywhere').waitFor();
  await judge('user menu');
  await item('Sign out everywhere').click();
  await judgeDialog('sign out everywhere');
  await page.keyboard.press('Control+k');
  await judgeDialog('palette');
  await visit(page, guildPagePath('ledger'));
  await press('New');
  await item('Transaction').waitFor();
  await judge('menu of the ledger');
  await item('Transaction').click();
  await dialog.waitFor();
  await judge('new transaction');
  // Escape would close the list of people first, which covers the other buttons.
  await press('Close');
  await dialog.waitFor({ state: 'detached' });
  await visit(page, guildPagePath(`discharges?limit=5&record=${sampleDischargeId}`));
  await dialog.getByRole('button', { name: text('Edit') }).waitFor();
  await judge('details of a record');
  await press('Edit');
  await dialog.getByRole('button', { name: text('Save changes') }).waitFor();
  await judge('edit a record');
}

async function judgeFurtherPages({ page, text, judge }: Tour): Promise<void> {
  for (const [address, title] of furtherPages) {
    await page.goto(address);
    await page.getByRole('heading', { level: 1, name: text(title) }).waitFor();
    await judge(address);
  }
  await page.goto('/docs');
  await page.getByRole('link', { name: text('OpenAPI document') }).waitFor();
  await judge('/docs');
}

// English is judged by the other tests. German has the longest words; npm run test:deep judges every language.
test.each(isDeep ? otherLanguages : ['de'])(
  'no page, dialog or menu has a serious or critical violation in %s',
  async (language) => {
    const text = await readTranslations(language);
    const page = await openPage(demo);
    await leaveFewOperations(page);
    const found: string[] = [];
    const judge = async (place: string) => {
      found.push(...(await findViolations(page, place)));
    };
    await openGuildPage(page, 'keys');
    await page.evaluate((chosen) => localStorage.setItem('guildbook-language', chosen), language);
    await page.reload();
    const tour = { page, text, judge };
    await judgePages(tour);
    await judgeDialogs(tour);
    if (isDeep) await judgeFurtherPages(tour);
    expect(await page.evaluate(() => document.documentElement.lang)).toBe(language);
    expect(found).toEqual([]);
  },
);
