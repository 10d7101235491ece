import { expect } from 'vitest';
import type { Store } from '../../src/domain/ports.ts';
import {
  aCommand,
  aDischarge,
  aKey,
  aQuery,
  aTransaction,
  aTransfer,
  aVerification,
  CHANGE,
  NOON_MS,
} from './specimens.ts';

const KEY = { keyId: 'key-1', hash: 'hash-1' };

/** Writes a record of each kind. */
export async function fill(store: Store, guild: { guildNo: number; guildId: string }): Promise<void> {
  await store.keys.insert(aKey(guild, KEY), CHANGE);
  await store.keys.touch([
    { keyNo: (await store.keys.findByHash(KEY.hash))?.keyNo ?? -1, usedAtMs: NOON_MS },
  ]);
  await store.discharges.put(guild, [aDischarge(guild)], CHANGE);
  await store.transfers.put(guild, [aTransfer(guild)], CHANGE);
  const pastUsers = [{ playerId: 'past', username: 'Past' }];
  await store.verifications.put([aVerification({ pastUsers })], CHANGE);
  await store.commands.replace([aCommand()], CHANGE);
  const idempotency = { key: 'k', requestHash: 'h' };
  await store.ledger.append(aTransaction(guild, { idempotency }));
}

/** Reads what `fill` wrote. */
export async function snapshot(
  store: Store,
  guild: { guildNo: number; guildId: string },
): Promise<unknown[]> {
  const parts = await Promise.all([
    store.guilds.list(),
    store.keys.list(guild),
    store.keys.findByHash(KEY.hash),
    store.discharges.find(guild, 'D-1'),
    store.transfers.find(guild, 'T-1'),
    store.verifications.find(['past_name'], 'past'),
    store.commands.list(),
    store.ledger.list(guild, '48213977', aQuery()),
  ]);
  for (const part of parts) {
    expect(part).toBeDefined();
  }
  return parts;
}
