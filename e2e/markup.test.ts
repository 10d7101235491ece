import type { Locator, Page } from 'playwright-core';
import { beforeAll, expect, test } from 'vitest';
import { depth } from '../server/test/support/depth.ts';
import { botToken, importLines } from './support/bot.ts';
import { openPage, useChromium } from './support/browser.ts';
import { useDemo } from './support/demo.ts';
import { guildPagePath, openGuildPage, sampleGuildId, sendChanges } from './support/guild-pages.ts';
import { waitMs } from './support/patience.ts';
import { payloads } from './support/payloads.ts';
import { waitUntilLoaded } from './support/steps.ts';
import { visit } from './support/visit.ts';

useChromium();
const demo = useDemo({ BOT_TOKEN: botToken });

/** Every page of a guild, most of them full of the payloads. */
const hostilePages = [
  '',
  'ledger',
  'discharges',
  'transfers',
  'people',
  'audit',
  'keys',
  'webhooks',
  'roles',
];

const uuidOf = (index: number) => `00000000-0000-7000-8000-${String(index).padStart(12, '0')}`;

async function renameGuild(name: string): Promise<void> {
  const answer = await fetch(`${demo.address}/bot/guilds/${sampleGuildId}`, {
    method: 'PUT',
    headers: { authorization: `Bearer ${botToken}`, 'content-type': 'application/json' },
    body: JSON.stringify({ name, plan: 'developer' }),
  });
  expect(answer.status).toBe(200);
}

// Every text of every record holds a payload, and each payload is used in every kind of text.
beforeAll(async () => {
  await importLines(
    demo,
    'discharges',
    payloads.map((text) => ({
      id: text,
      chatId: text,
      playerId: text,
      name: text,
      reason: `${text}\n${text}`,
      date: '2001-01-01',
      type: text,
      from: text,
      signed: text,
    })),
  );
  await importLines(
    demo,
    'transfers',
    payloads.map((text) => ({
      id: text,
      playerId: text,
      name: text,
      date: '2001-01-01T10:00:00Z',
      from: text,
      to: text,
      signed: text,
    })),
  );
  await importLines(demo, 'verifications', [
    ...payloads.map((text) => ({ chatId: text, playerId: text, username: text, pastUsers: [] })),
    {
      chatId: 'one-with-a-past',
      playerId: 'one-with-a-past',
      username: 'one-with-a-past',
      pastUsers: payloads.map((text) => ({ playerId: `past ${text}`, username: `past ${text}` })),
    },
  ]);
  await importLines(
    demo,
    'commands',
    payloads.map((text) => ({
      category: text,
      name: text,
      description: text,
      extendedHelp: text,
      preconditions: [text],
    })),
  );
  await importLines(
    demo,
    'transactions',
    payloads.map((text, index) => ({
      playerId: text,
      transactionId: uuidOf(index),
      name: text,
      quantity: 1,
      amount: 1_000_000 + index,
      source: text,
      createdAt: new Date().toISOString(),
    })),
  );
  for (const text of payloads) await renameGuild(text);
});

/** Notes what the content security policy had to stop: a payload that got that far has become markup already. */
async function watchPolicy(page: Page): Promise<void> {
  await page.addInitScript(() => {
    const stopped: string[] = [];
    Object.assign(window, { stopped });
    document.addEventListener('securitypolicyviolation', ({ violatedDirective, blockedURI, sample }) =>
      stopped.push(`${violatedDirective} ${blockedURI} ${sample}`),
    );
  });
}

/** Lists payloads that have become markup. It runs in the page, so it uses nothing from this file. */
function listMarkup(): string[] {
  const { ran, stopped = [] } = window as { ran?: unknown; stopped?: string[] };
  const isLive = ({ name, value }: Attr) =>
    name.startsWith('on') ||
    (/^(xlink:)?(href|src|action|formaction|data)$/.test(name) && /^\s*(javascript|data):/i.test(value));
  const living = [...document.querySelectorAll('*')].filter(
    (element) =>
      element.matches('iframe, object, embed, base, math, marquee, script:not([src]), meta[http-equiv]') ||
      [...element.attributes].some(isLive),
  );
  return [
    ...(ran === undefined ? [] : ['a script ran']),
    ...stopped,
    ...living.map((element) => element.outerHTML.slice(0, 200)),
  ];
}

async function findMarkup(page: Page): Promise<string[]> {
  return page.evaluate(listMarkup);
}

async function textOf(page: Page): Promise<string> {
  return page.evaluate(() => document.body.textContent ?? '');
}

function missingIn(text: string): string[] {
  return payloads.filter((payload) => !text.includes(payload));
}

/** Waits until the page shows all of the payloads. */
async function expectAll(page: Page, address: string): Promise<void> {
  const readMissing = async () => ({ address, missing: missingIn(await textOf(page)) });
  await expect.poll(readMissing, { timeout: waitMs }).toEqual({ address, missing: [] });
}

async function openHostileGuild(): Promise<Page> {
  const page = await openPage(demo);
  await watchPolicy(page);
  await openGuildPage(page, 'discharges');
  return page;
}

const onTheDay = 'since=2001-01-01&until=2001-01-01&limit=100';
const lists = [
  guildPagePath(`discharges?${onTheDay}`),
  guildPagePath(`transfers?${onTheDay}`),
  guildPagePath('ledger?minAmount=1000000&limit=100'),
  guildPagePath('people/one-with-a-past?tab=accounts'),
  '/dashboard/commands',
];

test('lists of records show sixty payloads as text and run none', async () => {
  const page = await openHostileGuild();
  for (const address of lists) {
    await visit(page, address);
    await expectAll(page, address);
    expect({ address, markup: await findMarkup(page) }).toEqual({ address, markup: [] });
  }
  await page.goto(`/docs?guild=${sampleGuildId}`);
  await page.getByText('Examples of').waitFor();
  expect(await findMarkup(page)).toEqual([]);
});

/** For views of one record each: the lists show all payloads at once, and npm run test:deep tries all of them here too. */
const fewPayloads = payloads.filter((_, index) => index % depth({ normal: 12, deep: 1 }) === 0);

test('the details of records, accounts and people with payloads for ids and names show them as text', async () => {
  const page = await openHostileGuild();
  const details = (text: string) =>
    page.getByRole('dialog').getByRole('heading', { level: 2, name: text, exact: true });
  const views: [path: (id: string) => string, sign: (text: string) => Locator][] = [
    [(id) => `discharges?record=${id}`, details],
    [(id) => `transfers?record=${id}`, details],
    [(id) => `people/${id}`, (text) => page.getByRole('heading', { level: 1, name: text, exact: true })],
    [
      (id) => `people?query=chat%3A${id}`,
      (text) => page.getByRole('main').getByText(text, { exact: true }).first(),
    ],
  ];
  for (const [path, sign] of views) {
    for (const text of fewPayloads) {
      const view = path(encodeURIComponent(text));
      await visit(page, guildPagePath(view));
      await sign(text).waitFor();
      if (view.startsWith('people/')) await page.getByRole('table').first().waitFor();
      expect({ view, markup: await findMarkup(page) }).toEqual({ view, markup: [] });
    }
  }
});

test('keys named with payloads, and the log of it all, are text', async () => {
  const page = await openHostileGuild();
  const expiresAt = new Date(Date.now() + 86_400_000).toISOString();
  const changes = payloads.map((name) => ({
    method: 'POST',
    route: 'keys',
    body: { name, scopes: ['guild:read'], expiresAt },
  }));
  expect(await sendChanges(page, changes)).toEqual(changes.map(() => 200));
  await visit(page, guildPagePath('keys'));
  // A list that the page already had is shown until the new one is there.
  const readMissing = async () => {
    const texts: string[] = [];
    for (const number of [1, 2, 3]) {
      const button = page.getByRole('button', { name: `Page ${number}`, exact: true });
      await button.click();
      await button.and(page.locator('[aria-current="page"]')).waitFor();
      texts.push(await textOf(page));
      expect(await findMarkup(page)).toEqual([]);
    }
    return missingIn(texts.join('\n'));
  };
  await expect.poll(readMissing, { timeout: waitMs }).toEqual([]);

  // The audit log has entries of the keys, of the guild's names and of every record, field by field.
  for (const kind of ['key', 'guild', 'transfer', 'discharge']) {
    await visit(page, guildPagePath(`audit?kind=${kind}`));
    await page.locator(`select:has(option[value="${kind}"]:checked)`).waitFor();
    await waitUntilLoaded(page);
    const text = await textOf(page);
    expect({ kind, markup: await findMarkup(page) }).toEqual({ kind, markup: [] });
    await page.getByRole('link', { name: 'Older' }).click();
    await page.getByRole('link', { name: 'Newer' }).waitFor();
    await waitUntilLoaded(page);
    expect({ kind, markup: await findMarkup(page) }).toEqual({ kind, markup: [] });
    expect({ kind, missing: missingIn(text + (await textOf(page))) }).toEqual({ kind, missing: [] });
  }
});

test('a guild named with payloads is text on every page', async () => {
  const page = await openHostileGuild();
  await page.route('**/dashboard/api/guilds', async (route) => {
    const answer = await route.fetch();
    const body = await answer.json();
    for (const guild of body.data) guild.name = payloads.join(' ');
    await route.fulfill({ response: answer, json: body });
  });
  await page.goto('/dashboard/');
  for (const address of ['/dashboard/', ...hostilePages.map(guildPagePath)]) {
    await visit(page, address);
    await page.getByRole('heading', { level: 1 }).waitFor();
    await expectAll(page, address);
    await waitUntilLoaded(page);
    expect({ address, markup: await findMarkup(page) }).toEqual({ address, markup: [] });
  }
});
