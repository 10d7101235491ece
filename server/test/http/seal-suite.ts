import { beforeAll, describe, expect, test } from 'vitest';
import { verifyConsistency, verifyReceipt } from '../../../client/src/index.ts';
import { sealerOf } from '../contract/seal-specimens.ts';
import { TESTER } from '../support/change.ts';
import { type LedgerApi, UNKNOWN_ID } from './ledger-api-service.ts';

/** The routes of sealed ledgers. */
export function describeSealApi(api: LedgerApi): void {
  const { get, postOne } = api;

  async function sealedGuild(count: number) {
    const { guildId } = await api.service.addGuild(`sealed ${api.aPlayer()}`);
    const key = (await api.service.addKey(guildId)).value;
    const ids: string[] = [];
    for (let index = 0; index < count; index += 1) {
      ids.push(await postOne({ amount: index + 0.5, metadata: { index: String(index) } }, { key }));
    }
    return { guildId, key, ids };
  }
  const seal = () => sealerOf(api.service.store).seal();
  const asText = { headers: { accept: 'text/plain' } };

  describe('a sealed ledger', () => {
    // The key of the sealers below. The service needs its public part only.
    beforeAll(async () => {
      await sealerOf(api.service.store).keys.read();
    });

    test('shows its checkpoint and how far behind it is', async () => {
      const { key, guildId } = await sealedGuild(3);
      const before = await get('/guild/seal', { key });
      expect(before.body.data).toMatchObject({ size: 0, behind: 3, checkpoint: null, sealedAt: null });
      await seal();
      const { status, body } = await get('/guild/seal', { key });
      expect(status).toBe(200);
      expect(body.data).toMatchObject({ size: 3, behind: 0, firstNumber: 1 });
      expect(body.data.origin).toMatch(new RegExp(`/seal/${encodeURIComponent(guildId)}$`));
      expect(body.data.checkpoint.startsWith(`${body.data.origin}\n3\n`)).toBe(true);
      expect(body.data.verifierKeys[0].startsWith(`${body.data.origin}+`)).toBe(true);
    });

    test('gives a receipt of each transaction, in JSON and as text, that the client library verifies', async () => {
      const { key, ids } = await sealedGuild(5);
      await seal();
      const verifierKeys = (await get('/guild/seal', { key })).body.data.verifierKeys;
      for (const [index, id] of ids.entries()) {
        const path = `/guild/transactions/${id}/receipt`;
        const reply = await get(path, { key });
        expect(reply.status).toBe(200);
        expect(reply.headers).toMatchObject({ vary: 'accept' });
        expect(reply.body.data.receipt).toMatchObject({ index, verifierKey: verifierKeys[0] });
        const verified = await verifyReceipt(reply.text, verifierKeys);
        expect(verified).toMatchObject({
          index,
          size: 5,
          transaction: { transactionId: id, number: index + 1 },
        });
        const text = await get(path, { key, ...asText });
        expect(text.headers).toMatchObject({ 'content-type': 'text/plain; charset=utf-8' });
        expect(await verifyReceipt(text.text, verifierKeys)).toEqual(verified);
        const altered = structuredClone(reply.body.data.receipt);
        altered.transaction.amount = '1000000';
        await expect(verifyReceipt(altered, verifierKeys)).rejects.toMatchObject({ fault: 'proof' });
      }
    });

    test('says that a transaction is not sealed yet, and when to ask again', async () => {
      const { key, ids } = await sealedGuild(1);
      const reply = await get(`/guild/transactions/${ids[0]}/receipt`, { key });
      expect([reply.status, reply.body]).toEqual([
        409,
        {
          success: false,
          message: 'Conflict - the transaction is not sealed yet, try again shortly',
          code: 'not_sealed_yet',
        },
      ]);
      expect(reply.headers).toMatchObject({ 'retry-after': '1' });
      await seal();
      const id = await postOne({}, { key });
      expect((await get(`/guild/transactions/${id}/receipt`, { key })).status).toBe(409);
      expect((await get(`/guild/transactions/${ids[0]}/receipt`, { key })).status).toBe(200);
    });

    test('has no receipt of another guild, nor of an unknown transaction', async () => {
      const [one, other] = [await sealedGuild(1), await sealedGuild(1)];
      await seal();
      for (const id of [other.ids[0], UNKNOWN_ID, 'x']) {
        const reply = await get(`/guild/transactions/${id}/receipt`, { key: one.key });
        expect([reply.status, reply.body.code]).toEqual([404, 'transaction_not_found']);
      }
    });

    test('proves that it contains an older checkpoint', async () => {
      const { key } = await sealedGuild(3);
      await seal();
      const older = (await get('/guild/seal', { key })).body.data;
      for (let index = 0; index < 4; index += 1) {
        await postOne({}, { key });
      }
      await seal();
      const { status, body } = await get('/guild/seal/consistency?from=3', { key });
      expect(status).toBe(200);
      const from = older.checkpoint;
      await expect(verifyConsistency({ from, to: body.data }, older.verifierKeys)).resolves.toMatchObject({
        fromSize: 3,
        size: 7,
      });
      const otherProof = { ...body.data, proof: body.data.proof.toReversed() };
      await expect(verifyConsistency({ from, to: otherProof }, older.verifierKeys)).rejects.toMatchObject({
        fault: 'consistency',
      });
      expect((await get('/guild/seal/consistency?from=8', { key })).status).toBe(400);
      expect((await get('/guild/seal/consistency?from=0', { key })).status).toBe(400);
      expect((await get('/guild/seal/consistency', { key })).status).toBe(400);
    });

    test('is on the public paths only when the guild wants it', async () => {
      const { guildId } = await sealedGuild(4);
      await seal();
      const base = `/seal/${encodeURIComponent(guildId)}`;
      const paths = ['checkpoint', 'tile/0/000.p/4'];
      for (const path of paths) {
        expect((await get(`${base}/${path}`, { key: undefined })).status).toBe(404);
      }
      await api.service.guilds.set({ guildId, sealPublic: true }, TESTER);
      const checkpoint = await get(`${base}/checkpoint`, { key: undefined });
      expect(checkpoint.headers).toMatchObject({ 'content-type': 'text/plain; charset=utf-8' });
      expect(checkpoint.text).toMatch(/\n4\n.{44}\n\n— /);
      const tile = await get(`${base}/tile/0/000.p/4`, { key: undefined });
      expect(tile.headers).toMatchObject({
        'content-type': 'application/octet-stream',
        'content-length': '128',
      });
      expect((await get(`${base}/tile/0/000.p/3`, { key: undefined })).status).toBe(200);
      for (const path of [
        'tile/0/000',
        'tile/0/000.p/5',
        'tile/0/001',
        'tile/1/000.p/1',
        'tile/x',
        'tile/',
      ]) {
        expect((await get(`${base}/${path}`, { key: undefined })).status).toBe(404);
      }
      expect((await get('/seal/nobody/checkpoint', { key: undefined })).status).toBe(404);
    });
  });
}
