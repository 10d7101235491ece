import type { Locator, Page } from 'playwright-core';
import type { Demo } from './demo-process.ts';

/** The sample people, by what they may do. */
export type Person = 'owner' | 'administrator' | 'member' | 'ownerWithoutPlan';

// As the try-out platform describes them on its page.
const descriptions: Record<Person, RegExp> = {
  owner: /owner of (?!.*no plan)/i,
  administrator: /administrator of/i,
  member: /without rights/i,
  ownerWithoutPlan: /no plan/i,
};

/** Goes from the dashboard's sign-in page through the chat platform and back, as a person does. */
export async function signIn(page: Page, person: Person, path = '/dashboard/'): Promise<void> {
  await page.goto(path);
  await page.getByRole('link', { name: 'Sign in with your chat account' }).click();
  await page.getByRole('button', { name: descriptions[person] }).click();
  await page.getByRole('button', { name: /^Account of/ }).waitFor();
}

/**
 * Signs in by the same requests as `signIn` does, without showing the pages in between, and goes to a page of the
 * dashboard. For tests of something else: they need a session, and the pages would take most of their time.
 */
export async function enter(page: Page, person: Person, path = '/dashboard/'): Promise<void> {
  const consent = await page.request.get('/dashboard/api/sign-in');
  const decision = findPerson(consent.url(), await consent.text(), descriptions[person]);
  const landing = await page.request.post(consent.url(), { form: { person: decision } });
  if (new URL(landing.url()).pathname !== '/dashboard/')
    throw new Error(`Signing in led to ${landing.url()}`);
  await page.goto(path);
  await page.getByRole('button', { name: /^Account of/ }).waitFor();
}

/** The value of the button for somebody described like this, on the platform's page. */
function findPerson(url: string, html: string, description: RegExp): string {
  const buttons = html.matchAll(/<button name="person" value="(\d+)">(.*?)<\/button>/gs);
  for (const [, chatId = '', words = ''] of buttons) if (description.test(words)) return chatId;
  throw new Error(`Nobody on the platform's page is described by ${description}: ${url}\n${html}`);
}

/**
 * Runs in the page. Resolves when it has no work left after three paints: the lower part of a first page comes after two
 * without placeholders.
 */
const untilIdle = `(async () => {
  for (let paint = 0; paint < 3; paint += 1) {
    await new Promise((resolve) => {
      requestAnimationFrame(() => setTimeout(resolve));
      setTimeout(resolve, 5_000);
    });
  }
  await new Promise((resolve) => requestIdleCallback(() => resolve(), { timeout: 5_000 }));
})()`;

/**
 * Waits until no part of the page is a placeholder, is incomplete, or belongs to what was asked for before. The address
 * changes before the page, and some parts are drawn after the first paint: so the page has to have no work left, too.
 */
export async function waitUntilLoaded(page: Page): Promise<void> {
  const unfinished = page.locator('.mantine-Skeleton-root, [data-stale], [aria-busy="true"]');
  do {
    await unfinished.first().waitFor({ state: 'detached' });
    await page.evaluate(untilIdle);
  } while ((await unfinished.count()) > 0);
}

/** Opens the only guild that this person can work with, and returns the path of its pages. */
export async function openGuild(page: Page): Promise<string> {
  await page.getByRole('main').getByRole('listitem').getByRole('link').first().click();
  await page.getByRole('heading', { name: 'Overview', level: 1 }).waitFor();
  return new URL(page.url()).pathname;
}

/** Opens the keys of that guild. */
export async function openKeys(page: Page): Promise<void> {
  const path = await openGuild(page);
  await page.locator(`a[href="${path}/keys"]`).first().click();
  await page.getByRole('heading', { name: 'API keys', level: 1 }).waitFor();
}

export async function openCreateDialog(page: Page): Promise<Locator> {
  await page.getByRole('button', { name: 'Create key' }).first().click();
  const dialog = page.getByRole('dialog');
  await dialog.waitFor();
  return dialog;
}

/** Makes a key that may read, and returns its value. The page is then as it was before. */
export async function createKey(page: Page, name: string): Promise<string> {
  const dialog = await openCreateDialog(page);
  await dialog.getByLabel('Name').fill(name);
  await dialog.getByRole('button', { name: 'Create key' }).click();
  const value = (await page.getByTestId('key-value').textContent()) ?? '';
  await page.getByRole('button', { name: 'I have stored it' }).click();
  await page.getByRole('dialog').waitFor({ state: 'detached' });
  return value;
}

export function rowOf(page: Page, name: string): Locator {
  return page.getByRole('row').filter({ has: page.getByText(name, { exact: true }) });
}

/** Chooses what to do with a key from its menu. */
export async function chooseAction(page: Page, name: string, action: string): Promise<void> {
  await rowOf(page, name)
    .getByRole('button', { name: /^Actions for the key/ })
    .click();
  await page.getByRole('menuitem', { name: action }).click();
}

/** Asks the real endpoint for a ledger, as a bot would. */
export async function readLedger(demo: Demo, key: string): Promise<number> {
  const answer = await fetch(`${demo.address}/guild/ledger/1/transactions`, {
    headers: { 'x-api-key': key },
  });
  return answer.status;
}
