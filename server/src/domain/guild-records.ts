import { DomainError } from './errors.ts';
import type { Guilds } from './guilds.ts';
import type { Actor, Change, Discharge, GuildRef, Transfer } from './model.ts';
import type { Clock, IdSource, RecordStore } from './ports.ts';
import type { DischargeFilter, PageOf, RecordFilter, RecordPage } from './record-lists.ts';
import type { DischargeFields, TransferFields } from './records.ts';
import { type Days, rangeOfDays } from './time-range.ts';

/** A filter offers no more kinds than this. */
export const DISCHARGE_TYPES_MAX = 50;

/** What a page asks for. Days are days in UTC, both included. */
export interface RecordRequest extends Days, Pick<RecordFilter, 'sortBy' | 'sortOrder'> {
  /** What to search for; blank for nothing in particular. */
  query?: string | undefined;
}

export interface DischargeRequest extends RecordRequest {
  type?: string | undefined;
}

export interface RecordTarget {
  guildId: string;
  id: string;
}

/** One kind of a guild's records, as the dashboard looks at them and changes them. */
export interface RecordBook<Item, Fields, Request> {
  list(guildId: string, request: Request & PageOf): Promise<RecordPage<Item>>;
  /** Everything that matches. What is wrong with the request is told before the first record. */
  read(guildId: string, request: Request): Promise<AsyncIterable<Item>>;
  get(target: RecordTarget): Promise<Item>;
  /** Without an id one is made. One that is taken is refused. */
  create(guildId: string, fields: Fields & { id?: string }, actor: Actor): Promise<Item>;
  /** Replaces a record that is there; none is made. */
  replace(target: RecordTarget, fields: Fields, actor: Actor): Promise<Item>;
  delete(target: RecordTarget, actor: Actor): Promise<void>;
}

export interface GuildRecords {
  discharges: RecordBook<Discharge, DischargeFields, DischargeRequest>;
  transfers: RecordBook<Transfer, TransferFields, RecordRequest>;
  /** The guild's kinds of discharge in order, at most `DISCHARGE_TYPES_MAX`. */
  dischargeTypes(guildId: string): Promise<string[]>;
}

export interface GuildRecordParts {
  store: RecordStore;
  guilds: Guilds;
  clock: Clock;
  ids: IdSource;
}

export function createGuildRecords(parts: GuildRecordParts): GuildRecords {
  const { store, guilds } = parts;
  return {
    discharges: createBook<Discharge, DischargeFields, DischargeRequest, DischargeFilter>(parts, {
      kind: 'discharge',
      toFilter: (request) => ({ ...filterOf(request), type: request.type }),
      toRecord: (fields, target) => ({ ...fields, ...target }),
      list: store.listDischarges,
      read: store.readMatchingDischarges,
      find: store.findDischarge,
      create: store.createDischarge,
      replace: store.replaceDischarge,
      delete: store.deleteDischarge,
    }),
    transfers: createBook<Transfer, TransferFields, RecordRequest, RecordFilter>(parts, {
      kind: 'transfer',
      toFilter: filterOf,
      toRecord: (fields, target) => ({ ...fields, ...target, date: new Date(fields.date).toISOString() }),
      list: store.listTransfers,
      read: store.readMatchingTransfers,
      find: store.findTransfer,
      create: store.createTransfer,
      replace: store.replaceTransfer,
      delete: store.deleteTransfer,
    }),
    async dischargeTypes(guildId) {
      return store.dischargeTypes(await guilds.find(guildId), DISCHARGE_TYPES_MAX);
    },
  };
}

/** What is particular to one kind of record. */
interface BookParts<Item, Fields, Request, Filter> {
  kind: 'discharge' | 'transfer';
  toFilter(request: Request): Filter;
  toRecord(fields: Fields, target: RecordTarget): Item;
  list(guild: GuildRef, query: Filter & PageOf): Promise<RecordPage<Item>>;
  read(guild: GuildRef, filter: Filter): AsyncIterable<Item>;
  find(guild: GuildRef, id: string): Promise<Item | undefined>;
  create(guild: GuildRef, item: Item, change: Change): Promise<boolean>;
  replace(guild: GuildRef, item: Item, change: Change): Promise<boolean>;
  delete(guild: GuildRef, id: string, change: Change): Promise<boolean>;
}

function createBook<Item, Fields, Request, Filter>(
  { guilds, clock, ids }: GuildRecordParts,
  book: BookParts<Item, Fields, Request, Filter>,
): RecordBook<Item, Fields, Request> {
  const by = (actor: Actor): Change => ({ actor, atMs: clock.nowMs() });
  const notFound = () => new DomainError(`${book.kind}_not_found`);
  return {
    async list(guildId, request) {
      const { page, limit } = request;
      const guild = await guilds.find(guildId);
      return book.list(guild, { ...book.toFilter(request), page, limit });
    },
    async read(guildId, request) {
      const guild = await guilds.find(guildId);
      return book.read(guild, book.toFilter(request));
    },
    async get({ guildId, id }) {
      const item = await book.find(await guilds.find(guildId), id);
      if (item === undefined) {
        throw notFound();
      }
      return item;
    },
    async create(guildId, { id = ids.uuid(), ...fields }, actor) {
      const guild = await guilds.find(guildId);
      // Without the id they are the fields again, which the compiler does not see through the type parameter.
      const item = book.toRecord(fields as Fields, { guildId, id });
      if (!(await book.create(guild, item, by(actor)))) {
        throw new DomainError('record_exists', { detail: book.kind });
      }
      return item;
    },
    async replace(target, fields, actor) {
      const guild = await guilds.find(target.guildId);
      const item = book.toRecord(fields, target);
      if (!(await book.replace(guild, item, by(actor)))) {
        throw notFound();
      }
      return item;
    },
    async delete({ guildId, id }, actor) {
      if (!(await book.delete(await guilds.find(guildId), id, by(actor)))) {
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
