import type { Guilds } from '../access/guilds.ts';
import { DomainError } from '../errors.ts';
import { hashFilters } from '../ledger/cursor.ts';
import type { Page } from '../ledger/history.ts';
import { type Days, rangeOfDays } from '../ledger/time-range.ts';
import { continueWith, type MaybePromise } from '../maybe-promise.ts';
import type { Actor, Change, Discharge, GuildRef, PutOutcome, Transfer } from '../model.ts';
import type { Clock, DischargeStore, IdSource, RecordStore } from '../ports.ts';
import { withoutEmpty } from './pick-record.ts';
import { readRecordCursor, writeRecordCursor } from './record-cursor.ts';
import type { DischargeFilter, PageOf, RecordFilter, RecordPage, RecordWalkFilter } from './record-lists.ts';
import type { RecordMatch } from './record-tag.ts';

/** The largest number of types that a filter offers. */
export const DISCHARGE_TYPES_MAX = 50;

export type DischargeFields = Omit<Discharge, 'id' | 'guildId'>;
export type TransferFields = Omit<Transfer, 'id' | 'guildId'>;

/** The query of a page. Days are days in UTC, both included. */
export interface RecordRequest extends Days, Pick<RecordFilter, 'sortBy' | 'sortOrder'> {
  /** The search text; a blank one matches everything. */
  query?: string | undefined;
}

export interface DischargeRequest extends RecordRequest {
  type?: string | undefined;
}

/** The query of a list that is paged by cursors. Times are ISO 8601: the first is included, the second is not. */
export interface RecordWalkRequest {
  limit: number;
  cursor?: string | undefined;
  search?: string | undefined;
  playerId?: string | undefined;
  type?: string | undefined;
  since?: string | undefined;
  until?: string | undefined;
}

export interface ImportOptions {
  overwrites?: boolean | undefined;
  isCheckOnly?: boolean | undefined;
}

export type ImportedRecord = PutOutcome | 'exists';

export interface RecordTarget {
  guildId: string;
  id: string;
}

/** One kind of a guild's records, for the interface, the operator's bot and the dashboard. */
export interface RecordService<Item, Fields, Request> {
  /** A record of another guild fails with the same error as a missing one. */
  get(guild: GuildRef, id: string): MaybePromise<Item>;
  /** The same by the guild's id. */
  show(target: RecordTarget): Promise<Item>;
  list(guildId: string, request: Request & PageOf): Promise<RecordPage<Item>>;
  /** All matching records. Rejects an invalid request before the first record. */
  read(guildId: string, request: Request): Promise<AsyncIterable<Item>>;
  /** Newest first, page by page. */
  walk(guild: GuildRef, request: RecordWalkRequest): Promise<Page<Item>>;
  /**
   * Creates or replaces a record; repeating it changes nothing. Without an id it generates one. With `match` it only
   * replaces an existing record with one of these tags.
   */
  put(
    target: Pick<RecordTarget, 'guildId'> & { id?: string },
    fields: Fields,
    actor: Actor,
    match?: RecordMatch,
  ): Promise<Item>;
  /** Without an id it generates one. Rejects when the id is taken. */
  create(guildId: string, fields: Fields & { id?: string }, actor: Actor): Promise<Item>;
  /**
   * Adds many records in one commit. A record whose id is taken stays as it is (`exists`), or is replaced with
   * `overwrites`. With `isCheckOnly` nothing is written and the outcomes are those of the present moment.
   */
  createMany(
    guildId: string,
    records: readonly (Fields & { id?: string })[],
    actor: Actor,
    options?: ImportOptions,
  ): Promise<ImportedRecord[]>;
  /** Replaces an existing record; with `match`, only if it has one of these tags. Never creates one. */
  replace(target: RecordTarget, fields: Fields, actor: Actor, match?: RecordMatch): Promise<Item>;
  delete(target: RecordTarget, actor: Actor, match?: RecordMatch): Promise<void>;
}

export interface Records {
  discharges: RecordService<Discharge, DischargeFields, DischargeRequest>;
  transfers: RecordService<Transfer, TransferFields, RecordRequest>;
  /** The guild's types of discharge in order, at most `DISCHARGE_TYPES_MAX`. */
  dischargeTypes(guildId: string): Promise<string[]>;
}

export interface RecordParts {
  discharges: DischargeStore;
  transfers: RecordStore<Transfer>;
  guilds: Guilds;
  clock: Clock;
  ids: IdSource;
}

export function createRecords(parts: RecordParts): Records {
  const { discharges, transfers, guilds } = parts;
  return {
    discharges: createService<Discharge, DischargeFields, DischargeRequest, DischargeFilter>(parts, {
      name: 'discharge',
      store: discharges,
      toFilter: (request) => ({ ...filterOf(request), type: request.type }),
      toRecord: (fields, target) => withoutEmpty('discharge', { ...fields, ...target }),
    }),
    transfers: createService<Transfer, TransferFields, RecordRequest, RecordFilter>(parts, {
      name: 'transfer',
      store: transfers,
      toFilter: filterOf,
      toRecord: (fields, target) =>
        withoutEmpty('transfer', { ...fields, ...target, date: new Date(fields.date).toISOString() }),
    }),
    async dischargeTypes(guildId) {
      return discharges.types(await guilds.find(guildId), DISCHARGE_TYPES_MAX);
    },
  };
}

/** The differences between the kinds of records. */
interface RecordKind<Item, Fields, Request, Filter extends RecordFilter> {
  name: 'discharge' | 'transfer';
  store: RecordStore<Item, Filter>;
  toFilter(request: Request): Filter;
  toRecord(fields: Fields, target: RecordTarget): Item;
}

function createService<
  Item extends { id: string; date: string },
  Fields,
  Request,
  Filter extends RecordFilter,
>(
  { guilds, clock, ids }: RecordParts,
  { name, store, toFilter, toRecord }: RecordKind<Item, Fields, Request, Filter>,
): RecordService<Item, Fields, Request> {
  const by = (actor: Actor): Change => ({ actor, atMs: clock.nowMs() });
  const notFound = () => new DomainError(`${name}_not_found`);

  function requireItem(item: Item | undefined): Item {
    if (item === undefined) {
      throw notFound();
    }
    return item;
  }

  const get = (guild: GuildRef, id: string) => continueWith(store.find(guild, id), requireItem);

  return {
    get,
    async show({ guildId, id }) {
      return get(await guilds.find(guildId), id);
    },
    async list(guildId, request) {
      const { page, limit } = request;
      const guild = await guilds.find(guildId);
      return store.list(guild, { ...toFilter(request), page, limit });
    },
    async read(guildId, request) {
      const guild = await guilds.find(guildId);
      return store.readMatching(guild, toFilter(request));
    },
    async walk(guild, { limit, cursor, ...request }) {
      const filter = toWalkFilter(request);
      const { range, search, type, playerId } = filter;
      const filterHash = hashFilters([name, range.sinceMs, range.untilMs, search, type, playerId]);
      const before = cursor === undefined ? undefined : readRecordCursor(cursor, filterHash);
      // One more than asked for, to know whether there is a next page.
      const found = await store.walk(guild, { ...filter, before, limit: limit + 1 });
      const items = found.slice(0, limit);
      const last = found.length > limit ? items.at(-1) : undefined;
      return {
        items,
        nextCursor: last && writeRecordCursor({ dateMs: Date.parse(last.date), id: last.id }, filterHash),
      };
    },
    async put({ guildId, id = ids.uuid() }, fields, actor, match) {
      const guild = await guilds.find(guildId);
      const item = toRecord(fields, { guildId, id });
      await store.put(guild, [item], by(actor), match);
      return item;
    },
    async create(guildId, { id = ids.uuid(), ...fields }, actor) {
      const guild = await guilds.find(guildId);
      // Without the id these are `Fields` again, which the compiler cannot derive from the type parameter.
      const item = toRecord(fields as Fields, { guildId, id });
      if (!(await store.create(guild, item, by(actor)))) {
        throw new DomainError('record_exists', { detail: name });
      }
      return item;
    },
    async createMany(guildId, records, actor, { overwrites = false, isCheckOnly = false } = {}) {
      const guild = await guilds.find(guildId);
      const items = records.map(({ id = ids.uuid(), ...fields }) =>
        // As in `create`.
        toRecord(fields as Fields, { guildId, id }),
      );
      if (isCheckOnly) {
        const found = await store.findMany(guild, [...new Set(items.map(({ id }) => id))]);
        const present = new Set(found.map(({ id }) => id));
        return items.map(({ id }) => (present.has(id) ? (overwrites ? 'updated' : 'exists') : 'created'));
      }
      return overwrites ? store.put(guild, items, by(actor)) : store.addFree(guild, items, by(actor));
    },
    async replace(target, fields, actor, match) {
      const guild = await guilds.find(target.guildId);
      const item = toRecord(fields, target);
      if (!(await store.replace(guild, item, by(actor), match))) {
        throw notFound();
      }
      return item;
    },
    async delete({ guildId, id }, actor, match) {
      if (!(await store.delete(await guilds.find(guildId), id, by(actor), match))) {
        throw notFound();
      }
    },
  };
}

function filterOf({ query = '', since, until, sortBy, sortOrder }: RecordRequest): RecordFilter {
  const search = query.trim();
  return {
    search: search === '' ? undefined : search,
    range: rangeOfDays({ since, until }),
    sortBy,
    sortOrder,
  };
}

function toWalkFilter(request: Omit<RecordWalkRequest, 'limit' | 'cursor'>): RecordWalkFilter {
  const { search, type, playerId, since, until } = request;
  const range = {
    sinceMs: since === undefined ? Number.MIN_SAFE_INTEGER : Date.parse(since),
    untilMs: until === undefined ? Number.MAX_SAFE_INTEGER : Date.parse(until),
  };
  if (range.sinceMs >= range.untilMs) {
    throw new DomainError('invalid_input', { detail: 'since must be before until' });
  }
  return { range, search, type, playerId };
}
