import { parse } from 'csv-parse/sync';
import type { Page } from 'playwright-core';
import { readDownload } from './guild-pages.ts';
import type { ShownTransaction } from './ledger.ts';

/** Follows a download and reads it, column by column. */
export async function download(page: Page): Promise<Record<string, string>[]> {
  const waiting = page.waitForEvent('download');
  await page.getByRole('link', { name: 'Export CSV' }).click();
  return parse(await readDownload(await waiting), { columns: true, bom: true });
}

/** A row of such a file as the interface shows the transaction. */
export function transactionOf(row: Record<string, string>): ShownTransaction {
  return {
    name: row.name ?? '',
    source: row.source ?? '',
    quantity: Number(row.quantity),
    amount: Number(row.amount),
    total: Number(row.total),
    // Files have the page's time zone, with its distance from UTC.
    createdAt: new Date(row.createdAt ?? '').toISOString(),
  };
}
