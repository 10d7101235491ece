import type { Page } from 'playwright-core';
import { expect } from 'vitest';
import type { Demo } from './demo-process.ts';
import { guildPagePath, openGuildPage } from './guild-pages.ts';
import { waitMs } from './patience.ts';

/** The part of a transaction that both the interface and the pages show. */
export interface ShownTransaction {
  name: string;
  source: string;
  quantity: number;
  amount: number;
  total: number;
  createdAt: string;
}

export interface Listing {
  transactions: ShownTransaction[];
  total: number;
}

/** The interface's own answer, asked as a bot would, for a query such as `?sortBy=total`. */
export async function askInterface(
  demo: Demo,
  key: string,
  { playerId, query }: { playerId: string; query: string },
): Promise<Listing> {
  const path = `/guild/ledger/${encodeURIComponent(playerId)}/transactions${query}`;
  const answer = await fetch(`${demo.address}${path}`, { headers: { 'x-api-key': key } });
  expect(answer.status, path).toBe(200);
  const { data, pagination } = await answer.json();
  const shown = (one: ShownTransaction) => ({
    name: one.name,
    source: one.source,
    quantity: one.quantity,
    amount: one.amount,
    total: one.total,
    createdAt: one.createdAt,
  });
  return { transactions: data.transactions.map(shown), total: pagination.total };
}

/** All that match, page by page. */
export async function askInterfaceForAll(
  demo: Demo,
  key: string,
  { playerId, query }: { playerId: string; query: URLSearchParams },
): Promise<ShownTransaction[]> {
  const found: ShownTransaction[] = [];
  for (let page = 1; ; page += 1) {
    const search = new URLSearchParams([...query, ['limit', '100'], ['page', String(page)]]);
    const listing = await askInterface(demo, key, { playerId, query: `?${search}` });
    found.push(...listing.transactions);
    if (found.length >= listing.total || listing.transactions.length === 0) return found;
  }
}

/** The rows of the table of transactions, as numbers again. */
export async function readRows(page: Page): Promise<ShownTransaction[]> {
  const rows = await page
    .getByRole('table', { name: /^Transactions of this/ })
    .locator('tbody tr')
    .evaluateAll((elements) =>
      elements.map((row) => {
        const heads = row.closest('table')?.querySelectorAll('thead th') ?? [];
        const cells = [...row.children];
        const texts = [...heads].map((head, index) => [
          head.textContent?.trim() ?? '',
          cells[index]?.textContent?.trim() ?? '',
        ]);
        return {
          ...Object.fromEntries(texts),
          createdAt: row.querySelector('time')?.getAttribute('datetime') ?? '',
        };
      }),
    );
  return rows.map((row: Record<string, string>) => ({
    name: (row.Name ?? '').replace(/, show details$/, ''),
    source: row.Source ?? '',
    quantity: toNumber(row.Quantity),
    amount: toNumber(row['Amount each']),
    total: toNumber(row.Total),
    createdAt: row.createdAt ?? '',
  }));
}

/** "Withdrawal −1,234.5" as -1234.5. */
export function toNumber(text = ''): number {
  return Number(text.replace('−', '-').replace(/[^\d.-]/g, ''));
}

/** Waits until the page shows exactly these transactions. */
export async function expectRows(page: Page, expected: ShownTransaction[]): Promise<void> {
  await expect.poll(() => readRows(page), { timeout: waitMs }).toEqual(expected);
}

/** Waits until the page's address has this query, and shows what the interface answers for the same one. */
export async function expectSameAsInterface(
  page: Page,
  demo: Demo,
  { key, playerId, query }: { key: string; playerId: string; query: string },
): Promise<Listing> {
  await page.waitForURL((url) => sameQuery(url.search, query));
  const listing = await askInterface(demo, key, { playerId, query });
  await expectRows(page, listing.transactions);
  await page
    .getByRole('status')
    .getByText(new RegExp(`^${listing.total.toLocaleString('en')} `))
    .waitFor();
  return listing;
}

function sameQuery(one: string, other: string): boolean {
  const sorted = (query: string) => [...new URLSearchParams(query)].sort().join('&');
  return sorted(one) === sorted(other);
}

/** The rows of the table behind a picture. */
export async function readChartTable(page: Page, title: RegExp): Promise<string[][]> {
  return page
    .getByRole('table', { name: title })
    .locator('tbody tr')
    .evaluateAll((rows) => rows.map((row) => [...row.children].map((cell) => cell.textContent ?? '')));
}

export interface Player {
  playerId: string;
  username: string | null;
  balance: string;
  transactions: number;
}

export interface OpenedLedger {
  /** The path of the guild's overview. */
  guildPath: string;
  /** Those with the largest balances. */
  players: Player[];
  /** The one of them with the most transactions. */
  player: Player;
}

/** Signs in, opens a page of the sample guild, by default its ledger, and returns its players. */
export async function openLedger(page: Page, path = 'ledger'): Promise<OpenedLedger> {
  await openGuildPage(page, path);
  const guildPath = guildPagePath('').replace(/\/$/, '');
  const answer = await page.request.get(
    `${guildPath.replace('/dashboard', '/dashboard/api')}/players?limit=20`,
  );
  const players: Player[] = (await answer.json()).data;
  const player = players.toSorted((one, other) => other.transactions - one.transactions)[0];
  if (!player) throw new Error('The sample data has no players');
  return { guildPath, players, player };
}
