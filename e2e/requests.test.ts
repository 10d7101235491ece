import type { Page } from 'playwright-core';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { adviceFor } from '../dashboard/src/requests/refusal-advice.ts';
import {
  type DashboardService,
  GUILD,
  startDashboardService,
} from '../server/test/http/dashboard-service.ts';
import { KEY_CODES, SENT_CODES } from '../server/test/http/refusal-codes.ts';
import { REFUSING_SETTINGS, sendRefusedRequests } from '../server/test/http/refused-requests.ts';
import { startPostgresDashboard } from '../server/test/postgres/dashboard-service.ts';
import { createTestClock } from '../server/test/support/clock.ts';
import { openBrowser, useChromium } from './support/browser.ts';

const flushMs = 50;

useChromium();

const overrides = () => ({ clock: createTestClock(Date.now()), keyUsageFlushMs: flushMs });

describe.each([
  ['SQLite', () => startDashboardService(overrides(), REFUSING_SETTINGS)],
  ['PostgreSQL', () => startPostgresDashboard(REFUSING_SETTINGS, overrides())],
])('on %s', (_store, start) => {
  let service: DashboardService;
  beforeAll(async () => {
    service = await start();
  });
  afterAll(() => service.stop());

  test('each refusal shows in the page with its reason and how to mend it', async () => {
    const olga = await service.signIn('olga');
    const context = await openBrowser({
      address: service.address,
      output: () => service.logLines.join('\n'),
    });
    const cookies = Array.from(olga.cookies, ([name, value]) => ({ name, value, url: service.address }));
    await context.addCookies(cookies);
    const page = await context.newPage();
    await page.goto(`/dashboard/guilds/${GUILD}/requests`);
    await page.getByText('No request was refused').waitFor();

    const refusals = await sendRefusedRequests(service, olga);
    const codes = new Set(refusals.map(({ code }) => code));
    expect([...codes].sort()).toEqual(SENT_CODES.toSorted());
    expect([...KEY_CODES].filter((code) => !codes.has(code))).toEqual([]);

    // The page is open: rows appear by themselves. The last request is the first row.
    const last = refusals.at(-1);
    await page
      .getByRole('row')
      .filter({ hasText: last?.keyName ?? '' })
      .filter({ hasText: String(last?.status) })
      .click();
    await page.getByRole('dialog', { name: 'Request' }).waitFor();
    const newestFirst = refusals.toReversed();
    const shown = await readAllDetails(
      page,
      newestFirst.map(({ requestId }) => requestId),
    );
    for (const [place, { code, message, keyName }] of newestFirst.entries()) {
      const advice = adviceFor({ code });
      expect({ code, advice }).toEqual({ code, advice: expect.any(String) });
      for (const part of [code, message, advice ?? '', keyName]) {
        expect(shown[place]).toContain(part);
      }
    }
    const address = await page.locator('a[download]').getAttribute('href');
    const file = await (await page.request.get(address ?? '')).text();
    expect(refusals.filter(({ requestId }) => !file.includes(requestId))).toEqual([]);
  });
});

/** The text of the details of these requests, read in the page by its button for the next one. */
function readAllDetails(page: Page, requestIds: string[]): Promise<string[]> {
  return page.evaluate(async (ids) => {
    const dialog = document.querySelector('[role="dialog"]');
    const texts: string[] = [];
    for (const id of ids) {
      while (!dialog?.textContent?.includes(id)) await new Promise((resolve) => setTimeout(resolve));
      texts.push(dialog.textContent);
      dialog.querySelector<HTMLElement>('[aria-label="Next in the list"]')?.click();
    }
    return texts;
  }, requestIds);
}
