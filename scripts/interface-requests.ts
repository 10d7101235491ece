import { type createClient, GuildbookError } from '@guildbook/client';

// Requests of check-interface.ts to what a guild's key may do beside the six endpoints of the interface.

type Client = ReturnType<typeof createClient>;

/** Sends a request as it is, and gives its status. */
export type SendRaw = (method: string, path: string, body?: object) => Promise<number>;

const POST = { playerId: '700', name: 'Iron Ingot', quantity: 3, amount: 12.5, source: 'shop' };
const ABSENT = '019a7f4c-52e1-7c3b-9d0e-000000000000';

export async function sendAccounts(client: Client): Promise<void> {
  await client.getAccount('700');
  await client.getAccount('700', { at: '2026-01-01T00:00:00.000Z' });
  await client.getAccount('nobody');
  await client.getAccounts(['700', '701', 'nobody']);
  await client.listAccounts({ limit: 1 });
  await client.listAccounts({ limit: 2, sortOrder: 'asc' });
}

export async function sendGroups(client: Client): Promise<void> {
  const metadata = { orderId: '4711', table: 'gold' };
  const results = await client.postBatch([
    { ...POST, reference: 'order-1', metadata },
    { ...POST, playerId: '701', amount: 100 },
  ]);
  await client.postBatch([POST, { ...POST, withdrawal: true }], { atomic: false, idempotencyKey: 'batch-1' });
  await client.postBatch([POST, { ...POST, withdrawal: true }], { atomic: false, idempotencyKey: 'batch-1' });
  await refused(409, client.postBatch([POST, { ...POST, withdrawal: true }]));
  const payment = { fromPlayerId: '701', toPlayerId: '700', amount: 10, name: 'Loan', source: 'bank' };
  await client.pay(payment, { idempotencyKey: 'loan-1' });
  await client.pay(payment, { idempotencyKey: 'loan-1' });
  await refused(400, client.pay({ ...payment, toPlayerId: '701' }));
  const [first = '', second = ''] = results.map(({ transactionId }) => transactionId ?? '');
  await client.getTransaction(first);
  await refused(404, client.getTransaction(ABSENT));
  await client.reverse(first, { reason: 'posted twice' });
  await refused(409, client.reverse(first));
  await refused(404, client.reverse(ABSENT));
  await client.reverseAll([second], { reason: 'posted twice' });
  await refused(409, client.reverseAll([second]));
}

export async function sendHistory(client: Client): Promise<void> {
  const { nextCursor } = await client.listHistory({ limit: 2 });
  await client.listHistory({ limit: 2, cursor: nextCursor ?? undefined });
  await client.listHistory({ playerId: '700', minAmount: 0, since: '2026-01-01T00:00:00.000Z' });
  await client.listHistory({ reference: 'order-1' });
  await client.readFeed();
  await client.readFeed({ after: 2, limit: 1 });
}

export async function sendGuildRecords(
  client: Client,
  records: {
    discharge: Parameters<Client['putDischarge']>[1];
    transfer: Parameters<Client['putTransfer']>[1];
  },
  send: SendRaw,
): Promise<void> {
  const { discharge, transfer } = records;
  const made = await client.putDischarge('own_1', discharge);
  await client.putDischarge('own_1', { ...discharge, reason: 'Changed' }, { ifMatch: made.etag });
  await refused(412, client.putDischarge('own_1', discharge, { ifMatch: made.etag }));
  await client.readDischarge('own_1');
  await refused(404, client.readDischarge('nothing'));
  await client.listDischarges({ limit: 1 });
  await client.listDischarges({ search: 'rowan', type: 'honourable', playerId: discharge.playerId });
  await send('POST', '/guild/records/discharges', discharge);
  await client.deleteDischarge('own_1');
  await client.deleteDischarge('own_1');
  await client.putTransfer('own_2', transfer);
  await client.readTransfer('own_2');
  await client.listTransfers({ limit: 1, search: 'harbour' });
  await send('POST', '/guild/records/transfers', transfer);
  await client.deleteTransfer('own_2');
}

export async function sendWebhooks(client: Client): Promise<void> {
  // Nobody listens there: what comes of a delivery is part of the answer.
  const url = 'https://127.0.0.1:1/guildbook';
  const { webhook } = await client.createWebhook({
    url,
    kind: 'standard',
    events: ['transaction.*', 'key.expiring'],
  });
  await client.createWebhook({
    url,
    kind: 'standard',
    events: ['balance.below'],
    filter: { balanceBelow: 10 },
  });
  await client.listWebhooks();
  await client.changeWebhook(webhook.id, { events: ['transaction.posted'] });
  await client.rotateWebhook(webhook.id);
  await client.testWebhook(webhook.id);
  await client.getWebhook(webhook.id);
  await client.replayWebhook(webhook.id, { since: new Date(Date.now() - 60_000).toISOString() });
  await client.deleteWebhook(webhook.id);
  await refused(404, client.getWebhook(webhook.id));
}

/** The last ones of a key. */
export async function sendKey(client: Client): Promise<void> {
  await client.getKey();
  await client.getKeyUsage();
  await client.getKeyUsage({ days: 7 });
  await client.listKeyRequests();
  await client.listKeyRequests({ limit: 1 });
  await client.deleteKey();
  await refused(401, client.getKey());
}

export async function refused(status: number, call: Promise<unknown>): Promise<void> {
  const error = await call.then(
    () => undefined,
    (thrown) => thrown,
  );
  if (!(error instanceof GuildbookError && error.status === status)) {
    throw new Error(`expected a refusal with ${status}`, { cause: error });
  }
}
