import { pino } from 'pino';
import { describe, expect, it } from 'vitest';
import { openToolbox, systemClock, systemIds } from '../../src/compose.ts';
import { readConfig } from '../../src/config.ts';
import { breakUnderPosts, postFromMany, withInstances } from '../postgres/instances.ts';
import { TESTER } from '../support/change.ts';
import { storeSettings } from '../support/load.ts';
import { untilTrue } from '../support/patience.ts';

const ROUNDS = 100;
const NOTICED_WITHIN_MS = 1_000;
/** The second one once an address had too many failures. */
const REFUSALS = [401, 429];

describe('three instances', () => {
  it('take 50,000 posts of 64 workers, a fifth of them repeated, each once and without a deadlock', () =>
    postFromMany({ posts: 50_000, workers: 64 }));

  it('outlive ten crashes and three stops of ten seconds under 200 posts a second', () =>
    breakUnderPosts({ crashes: 10, stops: 3, stoppedMs: 10_000, perSecond: 200 }));
});

/** Deletes keys one after the other, and measures how long each was still taken anywhere. */
async function slowestRefusal(databaseUrl: string, addresses: readonly string[]): Promise<number> {
  const { guilds, keys, close } = await openToolbox(readConfig(storeSettings(databaseUrl)), {
    clock: systemClock,
    ids: systemIds,
    logger: pino({ level: 'silent' }),
    onFatal(error) {
      throw error;
    },
  });
  await guilds.set({ guildId: 'g', name: 'G', plan: 'developer' }, TESTER);
  let slowestMs = 0;
  for (let round = 0; round < ROUNDS; round += 1) {
    const expiresAtMs = Date.now() + 86_400_000;
    const order = { guildId: 'g', name: 'k', scopes: ['guild:read'] as const, expiresAtMs };
    const { key, value } = await keys.create(order, TESTER);
    const ask = async (address: string) =>
      (await fetch(`${address}/guild/discharges/none`, { headers: { 'x-api-key': value } })).status;
    await Promise.all(addresses.map((address) => untilTrue(async () => (await ask(address)) === 404)));
    await keys.delete(key.keyId, TESTER);
    const deletedMs = performance.now();
    await Promise.all(
      addresses.map((address) => untilTrue(async () => REFUSALS.includes(await ask(address)))),
    );
    slowestMs = Math.max(slowestMs, performance.now() - deletedMs);
  }
  await close();
  return slowestMs;
}

describe('a key deleted on one instance is refused by the others within a second', () => {
  it.each([
    ['with notifications', ''],
    ['without notifications', '&pooler=transaction'],
  ])(`${ROUNDS} times out of ${ROUNDS}, %s`, (_, options) =>
    withInstances(
      async ({ databaseUrl, addresses }) => {
        expect(await slowestRefusal(databaseUrl, addresses)).toBeLessThan(NOTICED_WITHIN_MS);
      },
      (server, database) => `${server.url(database)}${options}`,
    ),
  );
});
