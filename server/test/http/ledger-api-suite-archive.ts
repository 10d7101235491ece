import { randomUUIDv7 } from 'node:crypto';
import { beforeAll, describe, expect, test } from 'vitest';
import { archiveStore } from '../../src/compose/archive.ts';
import { DAY_MS } from '../../src/domain/calendar.ts';
import { aPastTransaction } from '../contract/specimens.ts';
import { createFolder } from '../support/folder.ts';
import { type LedgerApi, UNKNOWN_ID } from './ledger-api-service.ts';

const DAYS = 20;
const CUT_MS = Date.parse('2021-03-11T00:00:00Z');
const PLAYER = 'archived player';

/** The answers about a ledger whose first ten days are archived. */
export function describeArchivedLedger(api: LedgerApi): void {
  const { get, send } = api;

  describe('an archived part of the ledger', () => {
    let key: string;
    const ids: string[] = [];

    beforeAll(async () => {
      const { store, databaseUrl } = api.service;
      const guild = await api.service.addGuild('guild with an archive');
      const { guildId } = guild;
      key = (await api.service.addKey(guildId)).value;
      const transactions = Array.from({ length: DAYS }, (_, index) =>
        aPastTransaction(guild, {
          playerId: PLAYER,
          transactionId: randomUUIDv7(),
          createdAtMs: CUT_MS + (index - DAYS / 2) * DAY_MS,
        }),
      );
      await store.ledger.import(guild, transactions);
      ids.push(...transactions.map(({ transactionId }) => transactionId));
      // So that answers of before are cached.
      for (const id of [ids[0], ids[0]]) {
        expect((await get(`/guild/transactions/${id}`, { key })).status).toBe(200);
      }
      await archiveStore(
        { databaseUrl, idempotencyDays: 30 },
        {
          before: '2021-03-11',
          folder: createFolder(),
          guildId,
          isDryRun: false,
          nowMs: Date.now(),
          stop: new AbortController().signal,
          onProgress: () => {},
        },
      );
    });

    test('a transaction of it is gone, and another one is there or unknown', async () => {
      const gone = await get(`/guild/transactions/${ids[0]}`, { key });
      expect([gone.status, gone.body]).toEqual([
        410,
        { success: false, message: 'Gone - the transaction is archived', code: 'archived' },
      ]);
      expect((await get(`/guild/transactions/${ids[10]}`, { key })).status).toBe(200);
      expect((await get(`/guild/transactions/${UNKNOWN_ID}`, { key })).status).toBe(404);
      expect((await get(`/guild/transactions/${ids[0]}`)).status).toBe(404);
    });

    test('its transactions cannot be reversed', async () => {
      const refused = await send(`/guild/transactions/${ids[3]}/reversal`, {}, { key });
      expect([refused.status, refused.body]).toEqual([
        410,
        {
          success: false,
          message: 'Gone - the transaction is archived',
          code: 'archived',
          data: { transactionId: ids[3], position: 0 },
        },
      ]);
      const many = await send('/guild/reversals', { transactionIds: [ids[12], ids[3]] }, { key });
      expect([many.status, many.body.code, many.body.data.position]).toEqual([410, 'archived', 1]);
    });

    test('the feed begins after it, and refuses a position in it', async () => {
      const feed = async (after: number) => get(`/guild/feed?after=${after}`, { key });
      const numbers = async (after: number) =>
        (await feed(after)).body.data.transactions.map(({ number }: { number: number }) => number);
      expect(await numbers(0)).toEqual(Array.from({ length: 10 }, (_, index) => index + 11));
      expect(await numbers(10)).toHaveLength(10);
      expect(await numbers(20)).toEqual([]);
      const refused = await feed(9);
      expect([refused.status, refused.body.code, refused.body.message]).toEqual([
        410,
        'archived',
        'Gone - the next transactions after this number are archived',
      ]);
    });

    test('an account counts it, its list begins after it, and its balance in it is gone', async () => {
      const path = encodeURIComponent(PLAYER);
      const account = await get(`/guild/accounts/${path}`, { key });
      expect(account.body.data).toMatchObject({ balance: 20, transactionCount: 20 });
      const list = await get(`/guild/ledger/${path}/transactions?limit=4&page=3`, { key });
      expect(list.body.data.transactions).toHaveLength(2);
      expect(list.body.pagination).toEqual({ page: 3, limit: 4, total: 10, totalPages: 3 });
      const at = async (time: string) => get(`/guild/accounts/${path}?at=${time}`, { key });
      expect((await at('2021-03-11T00:00:00Z')).body.data).toMatchObject({
        balance: 11,
        transactionCount: 11,
      });
      expect((await at('2021-03-10T12:00:00Z')).body.data).toMatchObject({
        balance: 10,
        transactionCount: 10,
      });
      const refused = await at('2021-03-09T12:00:00Z');
      expect([refused.status, refused.body.code]).toEqual([410, 'archived']);
    });
  });
}
