import type { Locator } from 'playwright-core';
import { expect, test } from 'vitest';
import { botToken, importLines } from './support/bot.ts';
import { openPage, useChromium } from './support/browser.ts';
import { useDemo } from './support/demo.ts';
import { guildPagePath, openGuildPage, sendChanges } from './support/guild-pages.ts';
import { waitUntilLoaded } from './support/steps.ts';
import { visit } from './support/visit.ts';

useChromium();
const demo = useDemo({ BOT_TOKEN: botToken });

const transactionId = '00000000-0000-7000-8000-000000000200';

test('long names and huge sums leave every page as wide as the window', async () => {
  const page = await openPage(demo);
  await openGuildPage(page, 'discharges');
  const [text, playerId] = ['W'.repeat(200), 'W'.repeat(120)];
  const record = { id: 'long', playerId, name: text, from: text, signed: text, date: '2026-01-01T10:00:00Z' };
  await importLines(demo, 'discharges', [{ ...record, chatId: '7'.repeat(100), reason: text, type: text }]);
  await importLines(demo, 'transfers', [{ ...record, to: text }]);
  await importLines(demo, 'verifications', [
    {
      chatId: '7'.repeat(100),
      playerId,
      username: text,
      pastUsers: [{ playerId: '8'.repeat(100), username: text }],
    },
  ]);
  await importLines(demo, 'transactions', [
    {
      playerId,
      transactionId,
      name: text,
      quantity: 1_000,
      amount: 123_456_789.9999,
      source: text,
      createdAt: new Date().toISOString(),
    },
  ]);
  const settings = {
    currencyName: null,
    currencySymbol: 'WWWWWWWW',
    decimalsShown: 4,
    overdraftAllowed: true,
  };
  expect(await sendChanges(page, [{ method: 'PUT', route: 'settings', body: settings }])).toEqual([200]);

  // Each with something that only this view shows.
  const heading = (name: string) => page.getByRole('heading', { level: 1, name });
  const tab = (name: string) => page.getByRole('tab', { name, selected: true });
  const details = (name: string) => page.getByRole('dialog', { name });
  // On a desk lists are tables, and on a phone cards.
  const tables: [path: string, sign: Locator][] = [
    ['ledger', heading('Ledger')],
    [`people/${playerId}`, tab('Account')],
    ['people', heading('People')],
  ];
  const others: [path: string, sign: Locator][] = [
    ['', heading('Overview')],
    [`ledger?record=${transactionId}`, details('Deposit')],
    [`people/${playerId}?tab=records`, tab('Records')],
    [`people/${playerId}?tab=accounts`, tab('Game accounts')],
    [`people/${playerId}?tab=statement`, page.getByText('Closing balance').first()],
    ['discharges?record=long', details('Discharge')],
    ['transfers?record=long', details('Transfer')],
    [`people?query=player:${playerId}`, page.getByText('1 person matches')],
    ['audit?kind=discharge', heading('Audit log')],
  ];
  const tooWide: string[] = [];
  for (const { width, places } of [
    { width: 390, places: [...tables, ...others] },
    { width: 1440, places: tables },
  ]) {
    await page.setViewportSize({ width, height: 900 });
    for (const [path, sign] of places) {
      await visit(page, guildPagePath(path));
      await sign.waitFor();
      await page.getByText('WWWW').locator('visible=true').first().waitFor();
      await waitUntilLoaded(page);
      const extra = await page.evaluate(() => document.documentElement.scrollWidth - window.innerWidth);
      if (extra > 0) tooWide.push(`${path} at ${width}: ${extra} too much`);
    }
  }
  expect(tooWide).toEqual([]);

  await page.setViewportSize({ width: 390, height: 900 });
  await visit(page, guildPagePath('audit?kind=discharge'));
  const sentence = page.locator('summary', { hasText: 'added the discharge' }).locator('> span').nth(1);
  expect(await linesOf(sentence)).toBeLessThanOrEqual(3);
  await visit(page, guildPagePath('discharges?record=long'));
  await page.getByRole('button', { name: 'Delete' }).click();
  const name = page.getByRole('dialog', { name: 'Delete this discharge?' }).getByText(text);
  await name.waitFor();
  expect(await linesOf(name)).toBe(2);

  await visit(page, guildPagePath(`people/${playerId}?tab=statement`));
  const cells = page.locator('tbody td:nth-last-child(-n + 2)');
  await cells.getByText('123,456').first().waitFor();
  const lines = await cells.evaluateAll((places) =>
    places.map((place) => {
      const range = document.createRange();
      range.selectNodeContents(place);
      const parts = [...range.getClientRects()];
      return { tops: new Set(parts.map(({ top }) => Math.round(top))).size, parts };
    }),
  );
  const sums = lines.filter(({ parts }) => parts.length > 0);
  expect(sums.filter(({ tops }) => tops > 1)).toEqual([]);
  expect(sums.flatMap(({ parts }) => parts).filter(({ left, right }) => left < 0 || right > 390)).toEqual([]);

  await visit(page, guildPagePath(`ledger?record=${transactionId}`));
  await page.getByRole('button', { name: 'Reverse' }).click();
  const sum = page.getByRole('dialog', { name: 'Reverse the transaction' }).locator('dd').first();
  await sum.waitFor();
  expect(await linesOf(sum)).toBe(1);

  await page.goto('/board/emberhold');
  const digits = page.locator('.digits');
  expect(await digits.count()).toBeGreaterThan(10);
  const broken = await digits.evaluateAll((numbers) =>
    numbers.filter((number) => number.getClientRects().length > 1).map(({ textContent }) => textContent),
  );
  expect(broken).toEqual([]);
});

/** The number of lines that a text takes. */
function linesOf(place: Locator): Promise<number> {
  return place.evaluate((element) => {
    const { lineHeight } = getComputedStyle(element);
    return Math.round(element.getBoundingClientRect().height / Number.parseFloat(lineHeight));
  });
}
