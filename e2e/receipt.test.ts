import { expect, test } from 'vitest';
import { toBase64 } from '../server/src/domain/seal/bytes.ts';
import { leafText, toLeaf } from '../server/src/domain/seal/leaf.ts';
import {
  makeSealKey,
  openSealKey,
  signCheckpoint,
  verifierKeyText,
} from '../server/src/domain/seal/signing.ts';
import { hashRanges, inclusionRanges } from '../server/src/domain/seal/tiles.ts';
import { hashLeaf } from '../server/src/domain/seal/tree.ts';
import { growInMemory } from '../server/test/seal/tile-memory.ts';
import { findViolations } from './support/axe.ts';
import { openPage, useChromium } from './support/browser.ts';
import { useDemo } from './support/demo.ts';
import { openGuildPage, sampleGuildId } from './support/guild-pages.ts';
import { openLedger } from './support/ledger.ts';
import { visit } from './support/visit.ts';

useChromium();
const demo = useDemo();

const origin = 'guildbook.example/seal/8142';
const right = 'This receipt is right';
const trusted = 'This receipt is right.';
const ownKey = 'This receipt is right, if this key is your guild’s.';

function leafOf(number: number) {
  return toLeaf({
    number,
    transactionId: `0192f0c1-7d5a-7abc-8def-${String(number).padStart(12, '0')}`,
    playerId: '48213977',
    amountUnits: -125_000,
    quantity: 2,
    totalUnits: -250_000,
    balanceUnits: 1_000_001,
    name: 'Sword of "Dawn" <b>',
    source: 'shop',
    createdAtMs: Date.UTC(2026, 10, 18, 7, 30),
    reference: null,
    metadata: { note: 'Größe' },
    paymentId: null,
    reverses: null,
    keyId: null,
    postedBy: '302817465920118784',
  });
}

/** A receipt of transaction 42 in a log of a size, and the key that signed it. */
async function makeReceipt(size: number, signer = openSealKey(makeSealKey().secret)) {
  const leaves = Array.from({ length: size }, (_, index) => hashLeaf(leafText(leafOf(index + 1))));
  const { tree, readTile } = growInMemory(leaves);
  const state = { size, frontier: tree.frontier() };
  const hashes = await hashRanges(state, inclusionRanges(41, size), readTile);
  const checkpoint = signCheckpoint({ origin, size, root: Uint8Array.from(tree.root()) }, [signer]);
  const verifierKey = verifierKeyText(origin, signer.publicKey);
  return { origin, index: 41, transaction: leafOf(42), proof: hashes.map(toBase64), checkpoint, verifierKey };
}

test('a receipt is checked step by step, and the page names what is wrong with others', async () => {
  const page = await openPage(demo);
  const receipt = await makeReceipt(300);
  const field = page.getByLabel('Receipt', { exact: true });
  const verdict = page.getByRole('status');
  const shows = async (given: string, expected: string) => {
    await field.fill(given);
    await verdict.filter({ hasText: expected }).waitFor();
  };
  await page.goto('/receipt');
  await shows(JSON.stringify(receipt), ownKey);
  await page.getByText('Anybody can make a key').waitFor();
  await page.getByText('42 of 300 when the checkpoint was signed').waitFor();
  await page.getByRole('img', { name: '9 hashes lead from the transaction to the signed root' }).waitFor();
  const found = await findViolations(page, 'a right receipt');

  const altered = { ...receipt, transaction: { ...receipt.transaction, total: '-2.5' } };
  await shows(JSON.stringify(altered), 'The proof does not lead to the signed root.');
  await page.getByRole('img', { name: 'another root than the signed one' }).waitFor();
  await page.setViewportSize({ width: 390, height: 844 });
  found.push(...(await findViolations(page, 'a wrong receipt on a phone')));
  expect(await page.evaluate(() => document.documentElement.scrollWidth)).toBeLessThanOrEqual(390);

  const forged = { ...receipt, checkpoint: receipt.checkpoint.replace('\n300\n', '\n299\n') };
  await shows(JSON.stringify(forged), 'The signature of the checkpoint does not fit.');
  await shows(JSON.stringify(receipt).slice(0, 700), 'The receipt is cut off, or is not JSON.');
  // An older checkpoint proves the transaction as well.
  await shows(JSON.stringify(await makeReceipt(50)), right);
  await page.getByText('42 of 50 when the checkpoint was signed').waitFor();
  await page.getByLabel('Verifier key of the guild').fill(receipt.verifierKey);
  await verdict.filter({ hasText: 'is not signed by the key that you trust' }).waitFor();
  await shows(JSON.stringify(receipt), trusted);
  found.push(...(await findViolations(page, 'a right receipt with a key that is trusted')));
  expect(found).toEqual([]);
});

test('a link has the receipt in its fragment, and a dropped file is read', async () => {
  const page = await openPage(demo);
  const text = JSON.stringify(await makeReceipt(100));
  const fragment = Buffer.from(text).toString('base64url');
  await page.goto(`/receipt#receipt=${fragment}`);
  await page.getByRole('status').filter({ hasText: right }).waitFor();
  await page.goto('/receipt');
  await page.reload();
  const file = { name: 'receipt.json', mimeType: 'application/json', buffer: Buffer.from(text) };
  await page.locator('input[type=file]').setInputFiles(file);
  await page.getByRole('status').filter({ hasText: right }).waitFor();

  await page.reload();
  const dropped = await page.evaluateHandle((content) => {
    const transfer = new DataTransfer();
    transfer.items.add(new File([content], 'receipt.json', { type: 'application/json' }));
    return transfer;
  }, text);
  await page.locator('main').dispatchEvent('drop', { dataTransfer: dropped });
  await page.getByRole('status').filter({ hasText: right }).waitFor();
});

test('the drawer of a transaction has its checked receipt, and the settings publish the checkpoints', async () => {
  const page = await openPage(demo, { viewport: { width: 390, height: 844 }, colorScheme: 'dark' });
  const checkpoint = async () => (await page.request.get(`/seal/${sampleGuildId}/checkpoint`)).status();
  const found: unknown[] = [];
  const { guildPath, player } = await openLedger(page);
  await visit(page, `${guildPath}/ledger/${player.playerId}`);
  await page
    .getByRole('button', { name: /show details$/ })
    .first()
    .click();
  const drawer = page.getByRole('dialog');
  await drawer.getByRole('button', { name: 'Receipt' }).click();
  await drawer.getByText('contains this one').waitFor();
  found.push(...(await findViolations(page, 'the receipt in the drawer')));
  const link = await drawer.getByRole('link', { name: 'Open it' }).getAttribute('href');
  await page.goto(link ?? '');
  await page.getByRole('status').filter({ hasText: right }).waitFor();

  expect(await checkpoint()).toBe(404);
  const choose = async () => {
    await openGuildPage(page, 'settings');
    await page.getByRole('switch', { name: 'Everybody may read the checkpoints' }).click();
    await page.getByRole('button', { name: 'Save settings' }).click();
    await page.getByText('Settings saved').waitFor();
  };
  await choose();
  expect(await checkpoint()).toBe(200);
  await choose();
  expect(await checkpoint()).toBe(404);
  expect(found).toEqual([]);
});

test('the receipt of a transaction that is not sealed yet appears by itself', async () => {
  const page = await openPage(demo);
  const { guildPath, player } = await openLedger(page);
  let isSealed = false;
  const refusal = { success: false, code: 'not_sealed_yet', message: 'The transaction is not sealed yet' };
  await page.route('**/receipt', (route) =>
    isSealed ? route.continue() : route.fulfill({ status: 409, json: refusal }),
  );
  await visit(page, `${guildPath}/ledger/${player.playerId}`);
  await page
    .getByRole('button', { name: /show details$/ })
    .first()
    .click();
  const drawer = page.getByRole('dialog');
  await drawer.getByRole('button', { name: 'Receipt' }).click();
  await drawer.getByText('The transaction is not sealed yet. This takes a few seconds.').waitFor();
  isSealed = true;
  await drawer.getByText('contains this one').waitFor();
});
