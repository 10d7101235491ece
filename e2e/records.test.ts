import { parse } from 'csv-parse/sync';
import type { Page } from 'playwright-core';
import { expect, test } from 'vitest';
import { openPage, useChromium } from './support/browser.ts';
import { useDemo } from './support/demo.ts';
import {
  askRoute,
  field,
  guildPagePath,
  makeKey,
  openGuildPage,
  readDownload,
  sampleDischargeId,
  sampleGuildId,
} from './support/guild-pages.ts';
import { waitMs } from './support/patience.ts';
import { visit } from './support/visit.ts';

useChromium();
const demo = useDemo();

/** Reads a record through the interface, as a bot with a key does. */
async function readBack(
  key: string,
  path: string,
): Promise<{ status: number; body: Record<string, unknown> }> {
  const answer = await fetch(`${demo.address}/guild/${path}`, { headers: { 'x-api-key': key } });
  const body = (await answer.json()) as Record<string, unknown>;
  return { status: answer.status, body };
}

/** Finds the only record of a name in the list, opens it and returns its id from the address. */
async function openRecord(page: Page, name: string): Promise<string> {
  await page.getByRole('textbox', { name: 'Search' }).fill(name);
  await page.waitForURL(/[?&]query=/);
  await page.getByText(/^1 \w+ matches$/).waitFor();
  await page
    .getByRole('row')
    .filter({ hasText: name })
    .getByRole('button', { name: /show details$/ })
    .click();
  await page.getByRole('dialog').getByRole('button', { name: 'Edit' }).waitFor();
  return new URL(page.url()).searchParams.get('record') ?? '';
}

test('a discharge added, changed and deleted in the page is so for the interface', async () => {
  const page = await openPage(demo);
  await openGuildPage(page, 'discharges');
  const key = await makeKey(page, 'Reads discharges');
  await page.getByRole('button', { name: 'Add discharge' }).click();
  const dialog = page.getByRole('dialog');
  await field(dialog, 'Name').fill('Wren of the Ford');
  await field(dialog, 'Player id').fill('550001');
  await field(dialog, 'Chat id').fill('990001');
  await dialog.getByLabel('Date', { exact: false }).first().fill('2026-03-01');
  await dialog.getByRole('combobox', { name: 'Type' }).fill('honourable');
  await field(dialog, 'From').fill('River Watch');
  await field(dialog, 'Reason').fill('First line\nשורה שנייה');
  await dialog.getByRole('button', { name: 'Add discharge' }).click();
  await page.getByText('Discharge added').waitFor();

  const id = await openRecord(page, 'Wren of the Ford');
  const added = {
    id,
    guildId: sampleGuildId,
    chatId: '990001',
    playerId: '550001',
    name: 'Wren of the Ford',
    reason: 'First line\nשורה שנייה',
    date: '2026-03-01',
    type: 'honourable',
    from: 'River Watch',
    signed: '',
  };
  expect(await readBack(key, `discharges/${id}`)).toEqual({
    status: 200,
    body: { success: true, data: added },
  });

  await page.getByRole('button', { name: 'Edit' }).click();
  const form = page.getByRole('dialog', { name: 'Edit this discharge' });
  await field(form, 'Signed by').fill('Niall');
  await form.getByRole('button', { name: 'Save changes' }).click();
  await page.getByText('Discharge changed').waitFor();
  const changed = { ...added, signed: 'Niall' };
  expect((await readBack(key, `discharges/${id}`)).body.data).toEqual(changed);

  const failed: string[] = [];
  page.on('response', (response) => {
    if (!response.ok()) failed.push(`${response.status()} ${response.url()}`);
  });
  await page.getByRole('button', { name: 'Delete', exact: true }).click();
  await page.getByRole('button', { name: 'Delete discharge' }).click();
  await page.getByText('Discharge deleted').waitFor();
  await page.getByText('No discharge matches').waitFor();
  // The browser logs every answer like these in its console.
  expect(failed).toEqual([]);
  expect((await readBack(key, `discharges/${id}`)).status).toBe(404);

  await visit(page, guildPagePath('audit'));
  const deed = page.locator('summary', { hasText: id });
  await expect
    .poll(() => deed.allInnerTexts(), { timeout: waitMs })
    .toEqual([
      expect.stringContaining(`deleted the discharge ${id} of Wren of the Ford`),
      expect.stringContaining(`changed the discharge ${id}: signed by`),
      expect.stringContaining(`added the discharge ${id} of Wren of the Ford`),
    ]);
});

test('a transfer added, changed and deleted in the page is so for the interface', async () => {
  const page = await openPage(demo, { timezoneId: 'Asia/Tokyo' });
  await openGuildPage(page, 'transfers');
  const key = await makeKey(page, 'Reads transfers');
  await page.getByRole('button', { name: 'Add transfer' }).click();
  const dialog = page.getByRole('dialog');
  await field(dialog, 'Name').fill('Alder Quick');
  await field(dialog, 'Player id').fill('550002');
  await field(dialog, 'From').fill('Outriders');
  await field(dialog, 'To').fill('River Watch');
  await dialog.getByLabel('Date and time').fill('2026-03-01T08:30:15');
  await field(dialog, 'Id').fill('T/1 & <b>');
  await dialog.getByRole('button', { name: 'Add transfer' }).click();
  await page.getByText('Transfer added').waitFor();

  const id = await openRecord(page, 'Alder Quick');
  expect(id).toBe('T/1 & <b>');
  const path = `transfers/${encodeURIComponent(id)}`;
  const added = {
    id,
    guildId: sampleGuildId,
    playerId: '550002',
    name: 'Alder Quick',
    date: '2026-02-28T23:30:15.000Z',
    from: 'Outriders',
    to: 'River Watch',
    signed: '',
  };
  expect(await readBack(key, path)).toEqual({ status: 200, body: added });

  await page.getByRole('button', { name: 'Edit' }).click();
  const form = page.getByRole('dialog', { name: 'Edit this transfer' });
  await field(form, 'To').fill('Lantern Guard');
  await form.getByRole('button', { name: 'Save changes' }).click();
  await page.getByText('Transfer changed').waitFor();
  expect((await readBack(key, path)).body).toEqual({ ...added, to: 'Lantern Guard' });

  await page.getByRole('button', { name: 'Delete', exact: true }).click();
  await page.getByRole('button', { name: 'Delete transfer' }).click();
  await page.getByText('Transfer deleted').waitFor();
  expect((await readBack(key, path)).status).toBe(404);
});

test('the form says what is wrong and sends nothing; what the service refuses is shown', async () => {
  const page = await openPage(demo);
  await openGuildPage(page, 'discharges');
  const posts: string[] = [];
  page.on('request', (request) => request.method() === 'POST' && posts.push(request.url()));
  await page.getByRole('button', { name: 'Add discharge' }).click();
  const dialog = page.getByRole('dialog');
  await field(dialog, 'Signed by').fill('n'.repeat(257));
  await dialog.getByRole('button', { name: 'Add discharge' }).click();
  await dialog.getByText('At most 256 characters; these are 257').waitFor();
  await expect.poll(() => dialog.getByText('Needed for every record').count(), { timeout: waitMs }).toBe(3);
  await dialog.locator('input:focus').and(field(dialog, 'Name')).waitFor();
  expect(posts).toEqual([]);

  await field(dialog, 'Signed by').fill('');
  for (const name of ['Name', 'Player id', 'Chat id']) await field(dialog, name).fill('x');
  await field(dialog, 'Id').fill(sampleDischargeId);
  await dialog.getByRole('button', { name: 'Add discharge' }).click();
  await dialog.getByText('a discharge with this id exists').waitFor();
  expect(posts).toHaveLength(1);
});

/** All pages of a list, as the dashboard's own route gives them. */
async function readAll(page: Page, kind: 'discharges' | 'transfers', search: string): Promise<unknown[]> {
  const all: unknown[] = [];
  for (let number = 1; number <= 50; number += 1) {
    const { body } = await askRoute(page, `${kind}?${search}&limit=100&page=${number}`);
    const { data, pagination } = body as {
      data: Record<string, unknown[]>;
      pagination: { totalPages: number };
    };
    all.push(...(data[kind] ?? []));
    if (number >= pagination.totalPages) break;
  }
  return all;
}

test('the CSV of records holds exactly what is filtered, in its order', async () => {
  const page = await openPage(demo);
  await openGuildPage(page, 'people');
  for (const [kind, search] of [
    ['discharges', 'type=honourable&sortBy=name&sortOrder=asc'],
    ['transfers', 'query=a&since=2025-06-01&until=2026-06-30'],
  ] as const) {
    await visit(page, guildPagePath(`${kind}?${search}`));
    const saved = page.waitForEvent('download');
    await page.locator(`a[href*="/${kind}.csv"]`, { hasText: 'Export CSV' }).click();
    const download = await saved;
    expect(download.suggestedFilename()).toMatch(/\.csv$/);
    const rows: unknown[] = parse(await readDownload(download), { columns: true, bom: true });
    const listed = await readAll(page, kind, search);
    expect(listed.length).toBeGreaterThan(20);
    expect(rows).toEqual(listed);
  }
});

test('a file of records is checked first, and replaces what is there only when asked', async () => {
  const page = await openPage(demo);
  await openGuildPage(page, 'discharges');
  const { body } = await askRoute(page, `discharges/${sampleDischargeId}`);
  const { chatId, playerId } = (body as { data: Record<string, string> }).data;
  const lines = [
    `${sampleDischargeId},Overwritten,${playerId},${chatId},2026-03-01`,
    `from-a-file,Imported,${playerId},${chatId},2026-03-02`,
    `faulty,Imported,${playerId},${chatId},soon`,
  ];
  const upload = async () => {
    await page.getByRole('button', { name: 'Import CSV' }).click();
    const text = ['id,name,playerId,chatId,date', ...lines].join('\n');
    const file = { name: 'records.csv', mimeType: 'text/csv', buffer: Buffer.from(text) };
    await page.locator('input[type="file"]').setInputFiles(file);
    await dialog.getByText('Lines that cannot be used as they are: 1 of 3.').waitFor();
    await dialog.getByText('A record with this id is there already').first().waitFor();
    await dialog.getByRole('checkbox', { name: 'Leave the faulty line out' }).check();
  };
  const dialog = page.getByRole('dialog', { name: 'Import discharges' });
  const nameOf = async (id: string) => {
    const read = await askRoute(page, `discharges/${id}`);
    return (read.body as { data?: { name: string } }).data?.name;
  };
  await upload();
  await dialog.getByRole('button', { name: 'Import 1 discharge' }).click();
  await page.getByText('1 added.').waitFor();
  expect(await nameOf('from-a-file')).toBe('Imported');
  expect(await nameOf(sampleDischargeId)).not.toBe('Overwritten');
  await upload();
  await dialog.getByRole('checkbox', { name: 'Replace the 2 that are there already' }).check();
  await dialog.getByRole('button', { name: 'Import 2 discharges' }).click();
  await page.getByText('1 replaced and 1 unchanged.').waitFor();
  expect(await nameOf(sampleDischargeId)).toBe('Overwritten');
});
