import { expect, it } from 'vitest';
import { USUAL_BOARD } from '../../src/domain/board/board.ts';
import { aGuild, CHANGE } from '../contract/specimens.ts';
import { withInstances } from '../postgres/instances.ts';
import { openStoreAt } from '../postgres/store.ts';
import { untilTrue } from '../support/patience.ts';

const ROUNDS = 20;
const GONE_WITHIN_MS = 1_000;
const PAUSE_MS = 5;

it('a board that is switched off is gone from three instances within a second', () =>
  withInstances(async ({ databaseUrl, addresses }) => {
    const store = await openStoreAt(databaseUrl);
    const guild = await store.guilds.set(aGuild(), CHANGE);
    const board = { ...USUAL_BOARD, name: 'seen-everywhere' };
    const statusAt = async (address: string) => {
      const reply = await fetch(`${address}/board/${board.name}`);
      await reply.arrayBuffer();
      return reply.status;
    };
    const waits: number[] = [];
    for (let round = 0; round < ROUNDS; round += 1) {
      await store.boards.set(guild, { ...board, isPublished: true }, CHANGE);
      for (const address of addresses) {
        await untilTrue(async () => (await statusAt(address)) === 200);
      }
      await store.boards.set(guild, { ...board, isPublished: false }, CHANGE);
      const offAtMs = performance.now();
      await Promise.all(
        addresses.map(async (address) => {
          while ((await statusAt(address)) !== 404) {
            await new Promise((resolve) => setTimeout(resolve, PAUSE_MS));
          }
          waits.push(performance.now() - offAtMs);
        }),
      );
    }
    await store.close();
    expect(waits).toHaveLength(ROUNDS * addresses.length);
    expect(Math.max(...waits)).toBeLessThan(GONE_WITHIN_MS);
  }));
