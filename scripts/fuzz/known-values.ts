import { systemIds } from '../../server/src/compose.ts';
import { createSampleData, SAMPLE_SEED } from '../../server/src/demo/sample-data/index.ts';
import { type FuzzedService, KEY_LIFETIME_MS } from './service.ts';

/** Values that exist in the service, by the name of the parameter. */
export type KnownValues = Record<string, readonly string[]>;

const VALUES_MAX = 20;
const WEBHOOKS = 3;
const HOUR_MS = 3_600_000;

/** Ids of the sample guild. Without them nearly all requests would be about records that do not exist. */
export async function findKnownValues(service: FuzzedService): Promise<KnownValues> {
  const { guildId, playerId } = service;
  const data = createSampleData({ nowMs: Date.now(), seed: SAMPLE_SEED });
  const idsOf = (records: readonly { guildId: string; id: string }[]) =>
    records
      .filter((record) => record.guildId === guildId)
      .map(({ id }) => id)
      .slice(0, VALUES_MAX);
  const verified = data.verifications.slice(0, VALUES_MAX);
  const transactions = data.transactions.filter((transaction) => transaction.guildId === guildId);
  return {
    guildId: [guildId],
    playerId: [playerId, ...new Set(transactions.slice(0, VALUES_MAX).map((one) => one.playerId))],
    dischargeId: idsOf(data.discharges),
    transferId: idsOf(data.transfers),
    // fuzz_hooks.py puts the ids of webhooks that exist in place of these.
    webhookId: Array.from({ length: WEBHOOKS }, () => systemIds.uuid()),
    transactionId: await readTransactionIds(service),
    expiresAt: [new Date(Date.now() + KEY_LIFETIME_MS).toISOString()],
    since: [new Date(Date.now() - HOUR_MS).toISOString()],
    chatId: verified.map(({ chatId }) => chatId),
    query: verified.map(({ username }) => username),
    category: data.commands.slice(0, 3).map(({ category }) => category),
  };
}

async function readTransactionIds({ address, key }: FuzzedService): Promise<string[]> {
  const answer = await fetch(`${address}/guild/transactions?limit=100`, { headers: { 'x-api-key': key } });
  // The check runs against the service of this checkout.
  const { data } = (await answer.json()) as { data: { transactions: { transactionId: string }[] } };
  return data.transactions.map(({ transactionId }) => transactionId);
}
