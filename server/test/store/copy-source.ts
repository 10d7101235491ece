import path from 'node:path';
import { USUAL_BOARD } from '../../src/domain/board/board.ts';
import { hourOf } from '../../src/domain/calendar.ts';
import type { Store } from '../../src/domain/ports.ts';
import {
  aGuild,
  aKey,
  aKeyRequest,
  aPastTransaction,
  aSession,
  aTransaction,
  CHANGE,
  NOON_MS,
} from '../contract/specimens.ts';
import { createFolder } from '../support/folder.ts';
import { fillStore, openStoreOn } from './full-store.ts';

/** A little more than one batch. */
export const TRANSACTIONS = 5_050;
const HUGE = Number.MAX_SAFE_INTEGER - 5;
export const KEY = { keyId: 'key-1', hash: 'hash-1' };

/** A store with some of everything: several batches of transactions, sums beyond 64 bits, deleted keys, a session. */
export async function makeSource(): Promise<string> {
  const file = path.join(createFolder(), 'source.db');
  const store = await openStoreOn(file);
  const guild = await fillStore(store);
  const big = await store.guilds.set(
    aGuild({ guildId: 'big', overdraftAllowed: false, icon: 'é🪙' }),
    CHANGE,
  );
  await store.keys.insert(aKey(big, KEY), CHANGE);
  await store.keys.insert(aKey(big, { keyId: 'gone' }), CHANGE);
  await store.keys.delete('gone', CHANGE);
  await useKey(store);
  await store.sessions.insert(aSession());
  const settings = { commandsOff: ['pay'], membersPay: true, payDayMaxUnits: HUGE, balancesShown: false };
  await store.chat.setSettings(big, settings, CHANGE);
  await store.boards.set(big, { ...USUAL_BOARD, name: 'the-big-one', movesMinUnits: HUGE }, CHANGE);
  await store.chat.countPayment(big, { chatId: 'c', day: 1, key: 'k', units: HUGE }, HUGE);
  for (let round = 0; round < 3; round += 1) {
    for (const [playerId, amountUnits] of Object.entries({ up: HUGE, down: -HUGE, back: 1 })) {
      await store.ledger.import(big, [
        aPastTransaction(big, { playerId: `${playerId} ${round}`, amountUnits }),
      ]);
    }
  }
  const many = Array.from({ length: TRANSACTIONS }, (_, index) =>
    aPastTransaction(guild, {
      playerId: `many ${index % 50}`,
      createdAtMs: NOON_MS + index,
      name: `n "${index}" \\`,
    }),
  );
  await store.ledger.import(guild, many);
  await store.ledger.append(aTransaction(guild, { playerId: 'by hand', postedBy: '9001' }));
  await store.close();
  return file;
}

/** A key that keeps all of its requests, with counts of an hour in which many were refused. */
async function useKey({ keys, requests }: Store): Promise<void> {
  await keys.update(KEY.keyId, { keepsAllUntilMs: NOON_MS }, CHANGE);
  const { keyNo = -1 } = (await keys.findByHash(KEY.hash)) ?? {};
  const hour = { hour: hourOf(NOON_MS), route: 'postTransaction', code: 'missing_fields' };
  await keys.touch([{ keyNo, usedAtMs: NOON_MS, counts: [{ ...hour, count: 7 }] }]);
  await keys.noteRefusals({ keyNo, hour: hour.hour, refused: 7 }, CHANGE);
  await requests.add([aKeyRequest(keyNo)]);
}
