import { describe, expect, test } from 'vitest';
import { findViolations } from './support/axe.ts';
import { openPage, useChromium } from './support/browser.ts';
import { useDemo } from './support/demo.ts';
import { settleMs } from './support/ledger.ts';
import {
  askRoute,
  enterRoom,
  roomPath,
  sampleDischargeId,
  samplePerson,
  sendChange,
} from './support/rooms.ts';
import { createKey, signIn } from './support/steps.ts';

useChromium();
const demo = useDemo();

test('what is searched, sorted and opened stands in the address, and the back button leads back', async () => {
  const page = await openPage(demo);
  await enterRoom(page, 'discharges');
  const search = () => new URL(page.url()).search;
  await page.getByRole('columnheader', { name: 'Name' }).getByRole('button').click();
  await page.waitForURL('**/discharges?sortBy=name&sortOrder=asc');
  await page.getByRole('button', { name: 'Page 2' }).click();
  await page.waitForURL('**/discharges?sortBy=name&sortOrder=asc&page=2');
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
  expect(search()).toBe('');
  await page.locator('th[aria-sort="descending"]', { hasText: 'Date' }).waitFor();

  await page.goto(roomPath('discharges?sortBy=colour&page=-3&limit=9999&since=yesterday&record='));
  await page.getByText(/^\d+ discharges$/).waitFor();
});

test('every view survives a reload from its address', async () => {
  const page = await openPage(demo);
  await enterRoom(page, 'audit');
  await page.getByRole('link', { name: 'Older' }).click();
  await page.waitForURL(/before=\d+/);
  const older = page.url().replace(/^.*\/guilds\/\d+\//, '');
  const views = [
    'discharges?type=honourable&sortBy=name&sortOrder=asc&page=2&limit=20',
    'discharges?query=a&since=2025-06-01&until=2026-06-30',
    `discharges?record=${sampleDischargeId}`,
    'transfers?query=River&sortOrder=asc',
    `verifications?query=name:${samplePerson.username}`,
    'verifications?query=nobody-at-all',
    'audit?kind=discharge&action=create',
    older,
    'api#getTransfer',
  ];
  // The dialog is outside the main part of the page; words such as "2 minutes ago" move on by themselves.
  const read = async () => {
    await page.waitForLoadState('networkidle');
    await expect.poll(() => page.locator('.mantine-Skeleton-root').count(), { timeout: settleMs }).toBe(0);
    return (await page.locator('body').innerText()).replace(/\d+ minutes? ago|just now/g, '');
  };
  for (const view of views) {
    await page.goto(roomPath(view));
    const before = await read();
    const address = page.url();
    await page.reload();
    expect({ view, text: await read(), address: page.url() }).toEqual({ view, text: before, address });
  }
});

test('a person is found by each kind, and leads to their records', async () => {
  const page = await openPage(demo);
  const { chatId, playerId, username, pastPlayerId, pastUsername } = samplePerson;
  await enterRoom(page, 'verifications');
  const lookUp = async (kind: string, text: string, words: string) => {
    await page.getByLabel('Look for').selectOption(kind);
    await page.getByRole('textbox', { name: 'Id or name' }).fill(text);
    const answer = page.waitForResponse((response) => response.url().includes('/dashboard/api/'));
    await page.getByRole('button', { name: 'Look up' }).click();
    await answer;
    await page.getByText(words).waitFor();
    await page.getByRole('heading', { level: 2, name: username }).waitFor();
  };
  await lookUp('Chat id', chatId, 'Found by the chat id');
  await lookUp('Player id', playerId, 'Found by the player id');
  await lookUp('User name', username.toUpperCase(), 'Found by the user name');
  await lookUp('Anything', pastUsername, 'Found by a past account');
  await lookUp('Player id', pastPlayerId, 'Found by a past account');
  expect(new URL(page.url()).searchParams.get('query')).toBe(`player:${pastPlayerId}`);
  await page.goto(roomPath(`verifications?query=chat:${username}`));
  await page.getByText(`Nobody is verified as “${username}”`).waitFor();
});

test('a guild without a plan is told what looking people up needs', async () => {
  const page = await openPage(demo);
  await signIn(page, 'ownerWithoutPlan');
  await page.getByRole('main').getByRole('listitem').getByRole('link').first().click();
  await page.getByRole('link', { name: 'Verifications' }).click();
  await page.getByRole('textbox', { name: 'Id or name' }).fill(samplePerson.username);
  await page.keyboard.press('Enter');
  await page.getByText('Looking people up needs an active plan').waitFor();
  await page.getByText(/npx guildbook guild set \d+/).waitFor();
});

test('the reference is filled with the guild’s ids, and a key that is tried there is kept nowhere', async () => {
  const page = await openPage(demo);
  await enterRoom(page, 'keys');
  const key = await createKey(page, 'Tried in the page');
  await page.goto(roomPath('api'));
  await page.getByLabel('API key', { exact: true }).fill(key);
  const section = page.getByRole('region', { name: 'Get a discharge' });
  await section.getByRole('button', { name: 'Try it' }).click();
  await section.getByRole('button', { name: 'Send' }).click();
  await section.getByRole('status').getByText('OK').waitFor();
  await section.getByRole('tab', { name: 'TypeScript client' }).click();
  await section.getByText('createClient').first().waitFor();
  const kept = await page.evaluate(() =>
    JSON.stringify([{ ...localStorage }, { ...sessionStorage }, location.href]),
  );
  expect(kept).not.toContain(key.slice(4, 20));
});

const rooms = [
  'discharges',
  'transfers',
  'verifications?query=1',
  'audit',
  'api',
  `discharges?record=${sampleDischargeId}`,
];
const routes = [
  'discharges',
  'discharges.csv',
  `discharges/${sampleDischargeId}`,
  'transfers',
  'transfers.csv',
  'transfers/trf_1mdw2y0c9h',
  `verifications?query=${samplePerson.chatId}`,
  'audit',
  'samples',
];
const changes = ['discharges', 'transfers'].flatMap((kind) => [
  { method: 'POST', route: kind, body: {} },
  { method: 'PUT', route: `${kind}/1`, body: {} },
  { method: 'DELETE', route: `${kind}/1` },
]);

test('a member without rights gets none of it, by page or by route', async () => {
  const page = await openPage(demo);
  await signIn(page, 'member');
  for (const room of rooms) {
    await page.goto(roomPath(room));
    await page.getByText('You do not manage this guild').waitFor();
  }
  for (const route of routes) expect([route, (await askRoute(page, route)).status]).toEqual([route, 404]);
  for (const change of changes) expect([change, await sendChange(page, change)]).toEqual([change, 404]);
});

test('a signed-out browser gets none of it, by page or by route', async () => {
  const page = await openPage(demo);
  for (const room of rooms) {
    await page.goto(roomPath(room));
    await page.getByRole('link', { name: 'Sign in with your chat account' }).waitFor();
  }
  for (const route of routes) expect([route, (await askRoute(page, route)).status]).toEqual([route, 401]);
  for (const change of changes) expect([change, await sendChange(page, change)]).toEqual([change, 401]);
});

describe.each(['light', 'dark'] as const)('in the %s scheme', (colorScheme) => {
  test('no page, drawer or dialog has a serious or critical violation', async () => {
    const options = { colorScheme, reducedMotion: 'reduce' } as const;
    const page = await openPage(demo, options);
    const found: string[] = [];
    const judge = async (place: string) => found.push(...(await findViolations(page, place)));
    const visit = async (room: string, sign: string | RegExp) => {
      await page.goto(roomPath(room));
      await page.getByText(sign).first().waitFor();
      await judge(room);
    };
    await enterRoom(page, 'transfers');
    // Short pages: axe looks at every element, and the twentieth row teaches it nothing new.
    await visit('transfers?limit=5', /^\d+ transfers$/);
    await visit('discharges?limit=5', /^\d+ discharges$/);
    await visit('discharges?query=nothing-matches', 'No discharge matches');
    await visit(`verifications?query=${samplePerson.pastUsername}`, 'Found by a past account');
    await visit('verifications', 'Look somebody up');
    await visit('api', 'Credentials');
    await page.goto(roomPath('audit?kind=key'));
    await page.locator('summary').first().click();
    await judge('audit');
    await page.goto(roomPath(`discharges?limit=5&record=${sampleDischargeId}`));
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
    await visit('discharges?limit=5', /^\d+ discharges$/);
    expect(found).toEqual([]);
  });
});
