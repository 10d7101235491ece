import type { Locator, Page } from 'playwright-core';
import { expect, test } from 'vitest';
import { depth } from '../server/test/support/depth.ts';
import { findViolations, shortenReference } from './support/axe.ts';
import { openPage, useChromium } from './support/browser.ts';
import { useDemo } from './support/demo.ts';
import { pageContents, watchFirstScreen } from './support/first-screen.ts';
import {
  askRoute,
  guildPagePath,
  makeKey,
  openGuildPage,
  sampleDischargeId,
  sampleGuildId,
  samplePerson,
  sendChanges,
} from './support/guild-pages.ts';
import { waitMs } from './support/patience.ts';
import { enter, waitUntilLoaded } from './support/steps.ts';
import { visit } from './support/visit.ts';

useChromium();
const demo = useDemo();

test('what is searched, sorted and opened stands in the address, and the back button leads back', async () => {
  const page = await openPage(demo);
  await openGuildPage(page, 'discharges');
  await page.getByRole('columnheader', { name: 'Name' }).getByRole('button').click();
  await page.waitForURL('**/discharges?sortBy=name&sortOrder=asc');
  await page.getByRole('button', { name: 'Page 2' }).click();
  await page.waitForURL('**/discharges?sortBy=name&sortOrder=asc&page=2');
  await waitUntilLoaded(page);
  await page
    .getByRole('button', { name: /show details/ })
    .first()
    .click();
  await page.waitForURL(/record=/);
  await page.getByRole('dialog').getByRole('button', { name: 'Close the details' }).click();
  await page.waitForURL(/page=2$/);
  await page.goBack();
  await page.waitForURL(/sortOrder=asc$/);
  await page.goBack();
  await page.waitForURL(/discharges$/);
  await page.locator('th[aria-sort="descending"]', { hasText: 'Date' }).waitFor();

  await page.goto(guildPagePath('discharges?sortBy=colour&page=-3&limit=9999&since=yesterday&record='));
  await page.getByText(/^\d+ discharges$/).waitFor();
});

test('every view survives a reload from its address', async () => {
  const page = await openPage(demo);
  // Words such as "2 minutes ago" would move on between the two readings.
  await page.clock.setFixedTime(new Date());
  await openGuildPage(page, 'audit');
  await page.getByRole('link', { name: 'Older' }).click();
  await page.waitForURL(/before=\d+/);
  const older = page.url().replace(/^.*\/guilds\/\d+\//, '');
  // Each with something that it shows only once it is complete.
  const views: [view: string, sign: Locator][] = [
    [
      'discharges?type=honourable&sortBy=name&sortOrder=asc&page=2&limit=20',
      page.getByText(/^\d+ discharges match$/),
    ],
    ['discharges?query=a&since=2025-06-01&until=2026-06-30', page.getByText(/^\d+ discharges match$/)],
    [
      `discharges?record=${sampleDischargeId}`,
      page.getByRole('dialog').getByRole('button', { name: 'Edit' }),
    ],
    ['transfers?query=River&sortOrder=asc', page.getByText(/^\d+ transfers match$/)],
    [`people?query=name:${samplePerson.username}&sortBy=name`, page.getByText('1 person matches')],
    ['people?query=nobody-at-all', page.getByText('Nobody matches “nobody-at-all”')],
    [`people/${samplePerson.playerId}?tab=accounts`, page.getByText('Current', { exact: true })],
    ['audit?kind=discharge&action=create', page.locator('summary').first()],
    [older, page.locator('summary').first()],
  ];
  const read = async (sign: Locator) => {
    await sign.waitFor();
    await waitUntilLoaded(page);
    // The dialog is outside the main part of the page.
    return page.locator('body').innerText();
  };
  for (const [view, sign] of views.filter((_, index) => index % depth({ normal: 4, deep: 1 }) === 0)) {
    await page.goto(guildPagePath(view));
    const text = await read(sign);
    const address = page.url();
    await page.reload();
    await expect
      .poll(async () => ({ view, text: await read(sign), address: page.url() }), { timeout: waitMs })
      .toEqual({ view, text, address });
  }
});

test('a person is found by each kind of id and name, old addresses too, and has one page', async () => {
  const page = await openPage(demo);
  const { chatId, playerId, username, pastPlayerId, pastUsername } = samplePerson;
  await openGuildPage(page, 'people');
  const picture = page.getByRole('table').locator('img').first();
  await picture.waitFor();
  const drawn = await picture.evaluate(async (element) => {
    if (!(element instanceof HTMLImageElement)) return undefined;
    await element.decode();
    return { isDrawn: element.naturalWidth > 0, isOurs: new URL(element.src).origin === location.origin };
  });
  expect(drawn).toEqual({ isDrawn: true, isOurs: true });
  const search = page.getByRole('textbox', { name: 'Search' });
  const row = page.getByRole('button', { name: new RegExp(`^${username}`) });
  for (const text of [chatId, playerId, username.toUpperCase(), pastUsername, pastPlayerId]) {
    await search.fill(text);
    await page.waitForURL((url) => url.searchParams.get('query') === text);
    await row.waitFor();
  }
  await visit(page, guildPagePath(`verifications?query=chat:${chatId}`));
  await page.waitForURL(`**/people?query=chat:${chatId}`);
  await row.click();
  await page.waitForURL(`**/people/${playerId}`);
  await page.getByRole('heading', { level: 1, name: username }).waitFor();
  await page.getByRole('tab', { name: 'Game accounts' }).click();
  await page.getByText(pastPlayerId).waitFor();
  await page.getByRole('tab', { name: 'Records' }).click();
  await page.getByRole('tab', { name: 'History' }).click();
  await page.waitForURL('**?tab=history');
  await visit(page, guildPagePath(`ledger/${playerId}?range=30d`));
  await page.waitForURL(`**/people/${playerId}?range=30d`);
});

test('a guild without a plan is told what finding people of other guilds needs', async () => {
  const page = await openPage(demo);
  await enter(page, 'ownerWithoutPlan');
  await page.getByRole('main').getByRole('listitem').getByRole('link').first().click();
  await page.getByRole('link', { name: 'People' }).click();
  await page.getByRole('textbox', { name: 'Search' }).fill('nobody-at-all');
  await page.getByText('With an active plan').waitFor();
});

test('the reference is filled with the guild’s ids, and a key that is tried there is kept nowhere', async () => {
  const page = await openPage(demo);
  await openGuildPage(page, 'keys');
  const key = await makeKey(page, 'Tried in the page');
  // The address that the examples had before leads to them.
  await visit(page, guildPagePath('api#getDischarge'));
  await page.waitForURL(`**/docs?guild=${sampleGuildId}#getDischarge`);
  await page.getByText('Examples of').waitFor();
  await page.getByLabel('API key', { exact: true }).fill(key);
  const section = page.getByRole('region', { name: 'Get a discharge' });
  await section.getByRole('button', { name: 'Try it' }).click();
  await section.getByRole('button', { name: 'Send' }).click();
  await section.getByRole('status').getByText('OK').waitFor();
  await section.getByRole('tab', { name: 'TypeScript' }).click();
  await section.getByText('createClient').first().waitFor();
  await section.getByRole('tab', { name: 'Python' }).click();
  await section.getByText(/guildbook\.get_discharge\("dis_\w+"\)/).waitFor();
  await section.getByRole('tab', { name: 'Luau' }).click();
  await section.getByText(/guildbook:getDischarge\("dis_\w+"\)/).waitFor();
  const kept = await page.evaluate(() =>
    JSON.stringify([{ ...localStorage }, { ...sessionStorage }, location.href]),
  );
  expect(kept).not.toContain(key.slice(4, 20));
});

const paths = [
  '',
  'ledger',
  'discharges',
  'transfers',
  'people?query=1',
  `people/${samplePerson.playerId}`,
  'audit',
  'webhooks',
  'api',
  `discharges?record=${sampleDischargeId}`,
];
const routes = [
  'overview',
  'players',
  'transactions',
  'transactions.csv',
  `players/${samplePerson.playerId}`,
  `players/${samplePerson.playerId}/transactions`,
  `players/${samplePerson.playerId}/transactions.csv`,
  'discharges',
  'discharges.csv',
  `discharges/${sampleDischargeId}`,
  'transfers',
  'transfers.csv',
  'transfers/trf_1mdw2y0c9h',
  `verifications?query=${samplePerson.chatId}`,
  'people.csv',
  `people/${samplePerson.playerId}/history`,
  `players/${samplePerson.playerId}/balance?at=2026-01-01T00:00:00Z`,
  `players/${samplePerson.playerId}/statement`,
  `players/${samplePerson.playerId}/statement.csv`,
  'audit',
  'samples',
];
const theft = { name: 'Theft', quantity: 1, amount: -1 };
const changes = [
  ...['discharges', 'transfers'].flatMap((kind) => [
    { method: 'POST', route: kind, body: {} },
    { method: 'PUT', route: `${kind}/1`, body: {} },
    { method: 'DELETE', route: `${kind}/1` },
  ]),
  { method: 'POST', route: `players/${samplePerson.playerId}/transactions`, body: theft },
];

test('a member without rights gets none of it, by page or by route', async () => {
  const page = await openPage(demo);
  await enter(page, 'member');
  // The address of the guild itself leads to their own account.
  for (const path of paths.filter((one) => one !== '')) {
    await visit(page, guildPagePath(path));
    await page.getByText('You do not manage this guild').waitFor();
  }
  for (const route of routes) expect([route, (await askRoute(page, route)).status]).toEqual([route, 404]);
  expect(await sendChanges(page, changes)).toEqual(changes.map(() => 404));
});

test('a signed-out browser gets none of it, by page or by route', async () => {
  const page = await openPage(demo);
  // One place asks for a session, above all pages of a guild.
  for (const path of paths.filter((_, index) => index % depth({ normal: 3, deep: 1 }) === 0)) {
    await page.goto(guildPagePath(path));
    await page.getByRole('link', { name: 'Sign in with your chat account' }).waitFor();
  }
  for (const route of routes) expect([route, (await askRoute(page, route)).status]).toEqual([route, 401]);
  expect(await sendChanges(page, changes)).toEqual(changes.map(() => 401));
});

test('no page, drawer or dialog has a serious or critical violation, in either colour scheme', async () => {
  const page = await openPage(demo);
  await shortenReference(page);
  const found: string[] = [];
  const judge = async (place: string) => found.push(...(await findViolations(page, place)));
  const look = async (path: string, sign: string | RegExp) => {
    await visit(page, guildPagePath(path));
    await page.getByText(sign).first().waitFor();
    await judge(path);
  };
  await openGuildPage(page, 'transfers');
  // Short pages: axe looks at every element, and the twentieth row teaches it nothing new.
  await look('transfers?limit=5', /^\d+ transfers$/);
  await look('discharges?limit=5', /^\d+ discharges$/);
  await look('discharges?query=nothing-matches', 'No discharge matches');
  await look(`people?query=${samplePerson.pastUsername}`, '1 person matches');
  await look(`people/${samplePerson.playerId}?tab=accounts`, 'Current');
  await look(`people/${samplePerson.playerId}?tab=statement&range=7d`, 'Closing balance');
  await visit(page, guildPagePath('audit?kind=key'));
  await page.locator('summary').first().click();
  await judge('audit');
  await visit(page, guildPagePath(`discharges?limit=5&record=${sampleDischargeId}`));
  await page.getByRole('button', { name: 'Edit' }).waitFor();
  await judge('details');
  await page.getByRole('button', { name: 'Delete', exact: true }).click();
  await page.getByRole('button', { name: 'Delete discharge' }).waitFor();
  await judge('delete');
  await page.keyboard.press('Escape');
  await page.getByRole('button', { name: 'Delete discharge' }).waitFor({ state: 'detached' });
  await page.getByRole('button', { name: 'Edit' }).click();
  await page.getByRole('button', { name: 'Save changes' }).waitFor();
  await judge('edit');
  await page.setViewportSize({ width: 390, height: 844 });
  await look('discharges?limit=5', /^\d+ discharges$/);
  expect(found).toEqual([]);
});

test.each([
  ['overview', '', /\/overview\?/],
  ['person', `people/${samplePerson.playerId}`, /\/activity(?:\?|$)/],
] as const)('the %s can be used after at most 25 requests', async (name, path, data) => {
  for (const isLate of [false, true]) {
    const page = await openPage(demo);
    // The first paint has placeholders when the data comes late.
    const placeholder = page.locator('main .mantine-Skeleton-root').first();
    await page.route(data, async (route) => {
      if (isLate) await placeholder.waitFor();
      await route.continue();
    });
    await page.addInitScript({ content: watchFirstScreen(pageContents[name]) });
    await openGuildPage(page, path);
    const sent = await requestsUntilUsable(page);
    expect(sent).toContainEqual(expect.stringMatching(data));
    expect(sent, sent.join('\n')).toHaveLength(Math.min(sent.length, 25));
  }
});

/** By the clock of the page, once it is complete: messages about requests reach a test in any order. */
async function requestsUntilUsable(page: Page): Promise<string[]> {
  await expect
    .poll(() => page.evaluate<number>('globalThis.completeMs ?? 0'), { timeout: waitMs })
    .toBeGreaterThan(0);
  const sent = await page.evaluate<string[]>(
    `performance.getEntriesByType('resource').filter(({ startTime }) => startTime <= usableMs).map(({ name }) => name)`,
  );
  // The page's timing has neither the page itself nor the stream of events, which does not end.
  return [page.url(), 'the stream of events', ...sent];
}
