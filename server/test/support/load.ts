import { pino } from 'pino';
import { openToolbox, systemClock, systemIds } from '../../src/compose.ts';
import { readConfig } from '../../src/config.ts';
import { SCOPES } from '../../src/domain/model.ts';
import { TESTER } from './change.ts';

/** One post that will be sent until it is answered, always with the same idempotency key. */
export interface PlannedPost {
  playerId: string;
  name: string;
  amount: number;
  quantity: number;
}

export interface Poster {
  /** Sends the post once. True when it was answered with 200, false when the answer never came or said "later". */
  post(address: string, planned: PlannedPost): Promise<boolean>;
}

/** Makes a guild and enough keys that the limit of one key never slows a test down. */
export function createPoster(file: string, keyCount: number): Promise<Poster> {
  return createPosterOn(`sqlite:${file}`, keyCount);
}

/** The settings of a store at that address. A server's needs a secret that all its instances share. */
export function storeSettings(databaseUrl: string): Record<string, string> {
  return { DATABASE_URL: databaseUrl, SECRET_KEY: 'a-secret-of-the-tests-that-all-instances-share' };
}

/** The same on any store. */
export async function createPosterOn(databaseUrl: string, keyCount: number): Promise<Poster> {
  const toolbox = await openToolbox(readConfig(storeSettings(databaseUrl)), {
    clock: systemClock,
    ids: systemIds,
    logger: pino({ level: 'silent' }),
    onFatal(error) {
      throw error;
    },
  });
  await toolbox.guilds.set({ guildId: 'load', name: 'Load', plan: 'developer' }, TESTER);
  const expiresAtMs = Date.now() + 86_400_000;
  const keys: string[] = [];
  for (let index = 0; index < keyCount; index += 1) {
    const order = { guildId: 'load', name: `load ${index}`, scopes: SCOPES, expiresAtMs };
    keys.push((await toolbox.keys.create(order, TESTER)).value);
  }
  await toolbox.close();

  let turn = 0;
  return {
    async post(address, planned) {
      turn += 1;
      const key = keys[turn % keys.length] ?? '';
      try {
        const reply = await fetch(`${address}/guild/ledger`, {
          method: 'POST',
          headers: { 'x-api-key': key, 'content-type': 'application/json', 'idempotency-key': planned.name },
          body: JSON.stringify({ ...planned, source: 'load' }),
        });
        await reply.text();
        if (reply.status === 200) {
          return true;
        }
        if (reply.status !== 429 && reply.status !== 503) {
          throw new UnexpectedReply(`unexpected status ${reply.status}`);
        }
        return false;
      } catch (error) {
        if (error instanceof UnexpectedReply) {
          throw error;
        }
        return false;
      }
    },
  };
}

class UnexpectedReply extends Error {}
