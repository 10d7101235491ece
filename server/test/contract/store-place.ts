import { randomUUIDv7 } from 'node:crypto';
import { afterAll, beforeAll, onTestFinished } from 'vitest';
import type { Guild, GuildChange } from '../../src/domain/model.ts';
import type { Store } from '../../src/domain/ports.ts';
import { aGuild, CHANGE } from './specimens.ts';

/** What an adapter brings along to be run through the suites: a place for data, empty at first. */
export interface StorePlace {
  /** Opens a store on the place's data. It may be called again, while others are open and after they closed. */
  open(): Promise<Store>;
  /** The ledger as it lies on disk, read past the port, in no particular order. */
  readLedger(): Promise<{ accounts: AccountRow[]; transactions: TransactionRow[] }>;
  /** How soon one store shows what another one did to keys and commands; 0 means at once. */
  noticedWithinMs: number;
  /** Gives the place back. Its stores are closed by then. */
  remove(): Promise<void>;
}

export type CreatePlace = () => Promise<StorePlace>;

export interface AccountRow {
  guildNo: number;
  playerId: string;
  balanceUnits: number;
  count: number;
}

export interface TransactionRow {
  guildNo: number;
  playerId: string;
  seq: number;
  transactionId: string;
  totalUnits: number;
  balanceAfterUnits: number;
  createdAtMs: number;
}

export interface OpenPlace {
  store: Store;
  /** Opens one more store on the same data; it is closed with the test unless the test closes it. */
  openAnother(): Promise<Store>;
  readLedger: StorePlace['readLedger'];
  noticedWithinMs: number;
}

/** A place of the test's own with one store open on it. Both are gone when the test is over. */
export async function openPlace(createPlace: CreatePlace): Promise<OpenPlace> {
  const opened = await openPlaceUntilClosed(createPlace);
  onTestFinished(opened.close);
  return opened;
}

/** The same for a whole group of tests, which closes it in its `afterAll`. */
export async function openPlaceUntilClosed(
  createPlace: CreatePlace,
): Promise<OpenPlace & { close(): Promise<void> }> {
  const place = await createPlace();
  const open = new Set<Store>();

  async function openTracked(): Promise<Store> {
    const store = await place.open();
    const tracked: Store = {
      ...store,
      close() {
        open.delete(tracked);
        return store.close();
      },
    };
    open.add(tracked);
    return tracked;
  }

  return {
    store: await openTracked(),
    openAnother: openTracked,
    readLedger: place.readLedger,
    noticedWithinMs: place.noticedWithinMs,
    async close() {
      await Promise.all(Array.from(open, (store) => store.close()));
      await place.remove();
    },
  };
}

/** A store with one guild in it, which is all that most tests need. */
export async function openWithGuild(createPlace: CreatePlace): Promise<OpenPlace & { guild: Guild }> {
  const place = await openPlace(createPlace);
  return { ...place, guild: await place.store.guilds.set(aGuild(), CHANGE) };
}

/**
 * One place for a group of tests, since opening costs more than most of them. Each call founds a guild that nobody
 * else knows of, and guilds see nothing of one another: that keeps the tests apart, and is itself a duty tested.
 */
export function shareByGuild(createPlace: CreatePlace) {
  let place: Awaited<ReturnType<typeof openPlaceUntilClosed>>;
  beforeAll(async () => {
    place = await openPlaceUntilClosed(createPlace);
  });
  afterAll(() => place.close());
  return async (changes: Partial<GuildChange> = {}) => {
    const found = (more: Partial<GuildChange> = {}) =>
      place.store.guilds.set(aGuild({ guildId: randomUUIDv7(), ...more }), CHANGE);
    const { store, openAnother, readLedger } = place;
    return { store, openAnother, readLedger, guild: await found(changes), foundAnother: found };
  };
}
