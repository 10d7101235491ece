import { expect, test } from 'vitest';
import { GUILD_ID, startFilledService } from '../http/filled-service.ts';
import { describeKeyApi } from '../http/key-api-suite.ts';
import { TESTER } from '../support/change.ts';
import { depth } from '../support/depth.ts';
import { startTestService, transactionBody } from '../support/service.ts';
import { createDatabase } from './database.ts';

describeKeyApi(async () => {
  const database = await createDatabase();
  const service = await startFilledService({ DATABASE_URL: database.url, SECRET_KEY: 'k'.repeat(32) });
  return {
    ...service,
    async stop() {
      await service.stop();
      await database.remove();
    },
  };
});

test('what a key may withdraw on a day holds for three instances together', async () => {
  const database = await createDatabase();
  const settings = { DATABASE_URL: database.url, SECRET_KEY: 'k'.repeat(32) };
  const instances = await Promise.all(Array.from({ length: 3 }, () => startTestService(settings)));
  try {
    const [first] = instances;
    if (first === undefined) throw new Error('three instances were started');
    await first.addGuild(GUILD_ID);
    const { keyId, value: key } = await first.addKey(GUILD_ID);
    await first.keys.update({ keyId }, { limits: { withdrawnPerDayMax: 10 } }, TESTER);
    const rounds = depth({ normal: 4, deep: 100 });
    const statuses: number[] = [];
    for (let round = 0; round < rounds; round += 1) {
      const replies = await Promise.all(
        instances.flatMap((instance, place) => {
          instance.clock.advance(1_001);
          return Array.from({ length: 8 }, (_, index) =>
            instance.send({
              method: 'POST',
              url: '/guild/ledger',
              key,
              payload: transactionBody({ playerId: `p${place}${index}`, amount: -0.3, quantity: 1 }),
            }),
          );
        }),
      );
      statuses.push(...replies.map(({ status }) => status));
    }
    // 33 times 0.3 is 9.9, and one more would be above 10.
    expect(statuses.filter((status) => status === 200)).toHaveLength(33);
    expect(statuses.filter((status) => status === 403)).toHaveLength(rounds * 24 - 33);
  } finally {
    await Promise.all(instances.map((instance) => instance.stop()));
    await database.remove();
  }
});
