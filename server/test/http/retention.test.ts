import { expect, test } from 'vitest';
import { DAY_MS } from '../../src/domain/calendar.ts';
import { aTransaction } from '../contract/specimens.ts';
import { untilTrue } from '../support/patience.ts';
import { startTestService } from '../support/service.ts';

test('a service removes expired idempotency keys by itself, once a day, and logs their number', async () => {
  const service = await startTestService({ IDEMPOTENCY_DAYS: '30' }, { retentionLookMs: 5 });
  const removed = () => service.logLines.filter((line) => line.includes('expired rows removed'));
  await untilTrue(() => removed().length === 1);
  const guild = await service.addGuild('814203957731622912');
  const transaction = aTransaction(guild, {
    createdAtMs: service.clock.nowMs(),
    idempotency: { key: 'order', requestHash: 'hash' },
  });
  await service.store.ledger.append(transaction);
  service.clock.advance(31 * DAY_MS);
  await untilTrue(() => removed().length === 2);
  expect(removed().map((line) => JSON.parse(line).idempotencyKeys)).toEqual([0, 1]);
  await service.stop();
});
