import type { Download, Locator, Page } from 'playwright-core';
import { expect } from 'vitest';
import { enter, type Person } from './steps.ts';

/** A person and a guild that the sample data always holds, for pages that need one. */
export const sampleGuildId = '1491363316481801678';
export const sampleDischargeId = 'dis_6xpdgh1cpv';
export const samplePerson = {
  chatId: '1394734192123042671',
  playerId: '8206034154',
  username: 'osric_of_saltfen',
  pastPlayerId: '949453257',
  pastUsername: 'marshcarver22',
};

/** The address of a page of the sample guild. */
export function guildPagePath(path: string): string {
  return `/dashboard/guilds/${sampleGuildId}/${path}`;
}

/** Signs in and goes to a page of the sample guild. */
export async function openGuildPage(page: Page, path: string, person: Person = 'owner'): Promise<void> {
  await enter(page, person, guildPagePath(path));
  await page.getByRole('heading', { level: 1 }).waitFor();
}

/** One of the dashboard's own routes for the sample guild, asked with the page's session. */
export async function askRoute(page: Page, route: string): Promise<{ status: number; body: unknown }> {
  const answer = await page.request.get(`/dashboard/api/guilds/${sampleGuildId}/${route}`);
  return { status: answer.status(), body: await answer.json().catch(() => undefined) };
}

/** Makes a key of the sample guild that may read, by the request that the page would send. */
export async function makeKey(page: Page, name: string): Promise<string> {
  const session = await (await page.request.get('/dashboard/api/session')).json();
  const answer = await page.request.post(`/dashboard/api/guilds/${sampleGuildId}/keys`, {
    headers: { origin: new URL(page.url()).origin, 'x-csrf-token': session.data.csrfToken },
    data: { name, scopes: ['guild:read'], expiresAt: new Date(Date.now() + 86_400_000).toISOString() },
  });
  expect(answer.status()).toBe(200);
  return (await answer.json()).data.key;
}

export interface Change {
  method: string;
  route: string;
  body?: unknown;
}

/** Sends changes one after another as the page itself would, with its session, origin and token; answers the statuses. */
export async function sendChanges(page: Page, changes: Change[]): Promise<number[]> {
  return page.evaluate(
    async ({ guildId, list }) => {
      const session = await (await fetch('/dashboard/api/session')).json();
      const headers = { 'content-type': 'application/json', 'x-csrf-token': session.data?.csrfToken ?? '' };
      const statuses: number[] = [];
      for (const { method, route, body } of list) {
        const answer = await fetch(`/dashboard/api/guilds/${guildId}/${route}`, {
          method,
          headers,
          ...(body === undefined ? {} : { body: JSON.stringify(body) }),
        });
        statuses.push(answer.status);
      }
      return statuses;
    },
    { guildId: sampleGuildId, list: changes },
  );
}

/** A transfer that tests add. */
export const newTransfer = {
  playerId: '550002',
  name: 'Alder Quick',
  from: 'Outriders',
  to: 'River Watch',
  signed: '',
  date: '2026-03-01T08:30:15.000Z',
};

/** Sends one change, which has to succeed. */
export async function change(page: Page, method: string, route: string, body: object): Promise<void> {
  expect(await sendChanges(page, [{ method, route, body }])).toEqual([200]);
}

export function field(dialog: Locator, name: string): Locator {
  return dialog.getByRole('textbox', { name, exact: true });
}

/** The whole of a file that the page offers for saving. */
export async function readDownload(download: Download): Promise<string> {
  const chunks: Buffer[] = [];
  for await (const chunk of await download.createReadStream()) chunks.push(Buffer.from(chunk));
  return Buffer.concat(chunks).toString('utf8');
}
