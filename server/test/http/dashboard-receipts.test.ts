import { expect, test } from 'vitest';
import { verifyReceipt } from '../../../client/src/index.ts';
import { sealerOf } from '../contract/seal-specimens.ts';
import { OTHER_GUILD, startDashboardService } from './dashboard-service.ts';
import { createPoster, guildPath } from './ledger-pages.ts';

test('the receipt of a transaction is not there before it is sealed, and then holds', async () => {
  const service = await startDashboardService();
  const sealer = sealerOf(service.store);
  await sealer.keys.read();
  const olga = await service.signIn('olga');
  const poster = await createPoster(service);
  await poster.post({ playerId: 'a' });
  const listed = await olga.go(guildPath('/transactions'));
  const { transactionId } = listed.body.data.transactions[0];
  const path = guildPath(`/transactions/${transactionId}/receipt`);
  const early = await olga.go(path);
  expect([early.status, early.body.code]).toEqual([409, 'not_sealed_yet']);
  await sealer.seal();
  const reply = await olga.go(path);
  expect(reply.status).toBe(200);
  const { receipt } = reply.body.data;
  expect(await verifyReceipt(receipt, receipt.verifierKey)).toMatchObject({ transaction: { transactionId } });
  const elsewhere = `/dashboard/api/guilds/${OTHER_GUILD}/transactions/${transactionId}/receipt`;
  expect((await olga.go(elsewhere)).status).toBe(404);
  await service.stop();
});
