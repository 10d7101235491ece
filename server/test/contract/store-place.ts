import { randomUUIDv7 } from 'node:crypto';
import { afterAll, beforeAll, onTestFinished } from 'vitest';
import type { Guild, GuildChange, GuildRef } from '../../src/domain/model.ts';
import type { Store } from '../../src/domain/ports.ts';
import { aGuild, CHANGE } from './specimens.ts';

/** Each adapter provides this to the suites: a place for data, empty at first. */
export interface StorePlace {
  /** The address of the store, for operations on it as a whole. */
  readonly databaseUrl: string;
  /** Opens a store on the place's data. It may be called again, while others are open and after they closed. */
  open(): Promise<Store>;
  /** The ledger of these guilds, or of all, as it lies on disk: read past the port, by guild, player and seq. */
  readLedger(
    guilds?: readonly GuildRef[],
  ): Promise<{ accounts: AccountRow[]; transactions: TransactionRow[] }>;
  /** Lets the time pass within which a store must show what another one did to keys and commands, on the stores' clock. */
  passNoticeTime(): Promise<void>;
  /** Runs statements past the port, which are the same for all adapters. */
  execute(sql: string): Promise<void>;
  /** Gives the place back. Its stores are closed by then. */
  remove(): Promise<void>;
}

export type CreatePlace = () => Promise<StorePlace>;

const CLEAR = `DELETE FROM past_user; DELETE FROM verification; DELETE FROM session; DELETE FROM chat_user;
  DELETE FROM sign_in_attempt; DELETE FROM discharge; DELETE FROM transfer`;

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
  passNoticeTime: StorePlace['passNoticeTime'];
  execute: StorePlace['execute'];
  databaseUrl: string;
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
    passNoticeTime: place.passNoticeTime,
    execute: place.execute,
    databaseUrl: place.databaseUrl,
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
    const { store, openAnother, readLedger, execute } = place;
    return { store, openAnother, readLedger, execute, guild: await found(changes), foundAnother: found };
  };
}

/** Opens the shared store with a guild of the test's own. */
export type OpenShared = ReturnType<typeof shareByGuild>;

/**
 * The same for what is read across guilds or belongs to none: each call gives the one store, without any records, people
 * and sessions. Guilds, keys, the ledger and the audit log stay as they are, since parts of them are kept in memory.
 */
export function shareCleared(createPlace: CreatePlace) {
  let place: Awaited<ReturnType<typeof openPlaceUntilClosed>>;
  beforeAll(async () => {
    place = await openPlaceUntilClosed(createPlace);
  });
  afterAll(() => place.close());
  return async (): Promise<OpenPlace> => {
    await place.execute(CLEAR);
    return place;
  };
}
