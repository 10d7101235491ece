import { generateKeyPairSync, sign } from 'node:crypto';
import { describe, expect, test } from 'vitest';
import { toUtf8 } from '../../client/src/seal/bytes.ts';
import { canonicalJson } from '../../client/src/seal/canonical-json.ts';
import { leafInput, nodeInput } from '../../client/src/seal/check-proofs.ts';
import { formatTreeHead } from '../../client/src/seal/checkpoint.ts';
import { formatNote, formatVerifierKey, keyIdInput, toKeyId } from '../../client/src/seal/note.ts';
import { receiptAddress, receiptInFragment } from '../src/components/receipt-address.ts';
import { checkReceipt, keyIn } from '../src/receipt/check-receipt.ts';

const origin = 'guildbook.example/seal/8142';
const rawKeyStart = 12;

async function sha256(bytes: Uint8Array<ArrayBuffer>): Promise<Uint8Array<ArrayBuffer>> {
  return new Uint8Array(await crypto.subtle.digest('SHA-256', bytes));
}

/** A receipt of the second of two transactions, and the key that signed it. */
async function makeReceipt() {
  const { publicKey, privateKey } = generateKeyPairSync('ed25519');
  const raw = Uint8Array.from(publicKey.export({ type: 'spki', format: 'der' }).subarray(rawKeyStart));
  const keyId = toKeyId(await sha256(keyIdInput(origin, raw)));
  const transaction = { name: 'Größe "XL"', total: '-12.5', number: 2 };
  const sibling = await sha256(leafInput(toUtf8('other')));
  const leafHash = await sha256(leafInput(toUtf8(canonicalJson(transaction))));
  const text = formatTreeHead({ origin, size: 2, root: await sha256(nodeInput(sibling, leafHash)) });
  const signature = Uint8Array.from(sign(null, Buffer.from(text), privateKey));
  const checkpoint = formatNote({ text, signatures: [{ name: origin, keyId, signature }] });
  const verifierKey = formatVerifierKey({ name: origin, keyId, publicKey: raw });
  const proof = [Buffer.from(sibling).toString('base64')];
  return { receipt: { origin, index: 1, transaction, proof, checkpoint, verifierKey }, verifierKey };
}

const entered = (verifierKey: string) => ({ verifierKey, isEntered: true });
const statesOf = (check: Awaited<ReturnType<typeof checkReceipt>>) =>
  check.steps.map(({ state }) => state).join(' ');

describe('a receipt', () => {
  test('that is right passes every step, and has a path to the signed root', async () => {
    const { receipt, verifierKey } = await makeReceipt();
    const check = await checkReceipt(JSON.stringify(receipt), entered(verifierKey));
    expect(statesOf(check)).toBe('right right right right');
    expect(check).toMatchObject({ fault: undefined, receipt: { size: 2 }, path: { isRight: true } });
    expect(check.path?.steps).toMatchObject([{ side: 'left' }]);
  });

  test('with the key that it names leaves the key to the reader', async () => {
    const { receipt, verifierKey } = await makeReceipt();
    const text = JSON.stringify(receipt);
    const check = await checkReceipt(text, { verifierKey, isEntered: false });
    expect(statesOf(check)).toBe('right yours right right');
    expect(check).toMatchObject({ fault: undefined, isKeyEntered: false });
  });

  test('within an answer of the service is the same', async () => {
    const { receipt, verifierKey } = await makeReceipt();
    const answer = JSON.stringify({ success: true, data: { receipt } });
    expect(statesOf(await checkReceipt(answer, entered(verifierKey)))).toBe('right right right right');
    expect(keyIn(answer)).toBe(verifierKey);
  });

  test('with a changed transaction fails at the path, which leads to another root', async () => {
    const { receipt, verifierKey } = await makeReceipt();
    const altered = { ...receipt, transaction: { ...receipt.transaction, total: '1000' } };
    const check = await checkReceipt(JSON.stringify(altered), entered(verifierKey));
    expect(statesOf(check)).toBe('right right right wrong');
    expect(check.fault).toBe('This receipt does not hold. The proof does not lead to the signed root.');
    expect(check.path?.isRight).toBe(false);
  });

  test('with a changed checkpoint fails at the signature', async () => {
    const { receipt, verifierKey } = await makeReceipt();
    const altered = { ...receipt, checkpoint: receipt.checkpoint.replace('\n2\n', '\n3\n') };
    const check = await checkReceipt(JSON.stringify(altered), entered(verifierKey));
    expect(statesOf(check)).toBe('right right wrong open');
  });

  test('fails with another key, and with something that is no key', async () => {
    const { receipt } = await makeReceipt();
    const { verifierKey } = await makeReceipt();
    const text = JSON.stringify(receipt);
    expect(statesOf(await checkReceipt(text, entered(verifierKey)))).toBe('right wrong open open');
    const check = await checkReceipt(text, entered('my key'));
    expect(statesOf(check)).toBe('right wrong open open');
    expect(check.fault).toBe('This is not a verifier key. Copy the whole line from your guild.');
  });

  test('that is cut off anywhere is never right', async () => {
    const { receipt, verifierKey } = await makeReceipt();
    const text = JSON.stringify(receipt);
    for (const length of [1, 20, 100, text.length - 1]) {
      const check = await checkReceipt(text.slice(0, length), entered(verifierKey));
      expect(statesOf(check)).toBe('wrong open open open');
    }
  });

  test('is the same after it was in the fragment of an address', async () => {
    const { receipt } = await makeReceipt();
    const text = JSON.stringify(receipt);
    const address = receiptAddress(text);
    expect(address).toMatch(/^\/receipt#receipt=[\w-]+$/);
    expect(receiptInFragment(address.slice('/receipt'.length))).toBe(text);
    expect(receiptInFragment('#other')).toBeUndefined();
  });
});
