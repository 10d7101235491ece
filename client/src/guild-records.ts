import { path, query as queryText } from './address.ts';
import type { CallOptions } from './calls.ts';
import { listOf } from './check-shape.ts';
import { type CursorPage, dataOf, pageOf, walk } from './cursor-pages.ts';
import { GuildbookError } from './errors.ts';
import { type Answer, unexpectedAnswer } from './parse-response.ts';
import type {
  ApiKey,
  Discharge,
  ListDischargeRecordsQuery,
  ListTransferRecordsQuery,
  PutDischargeRecordBody,
  PutTransferRecordBody,
  Transfer,
} from './schema.ts';
import type { Request } from './send.ts';
import { isApiKey, isDischarge, isTransfer } from './shapes.ts';

/** A record with the tag of this version. */
export interface Tagged<Item> {
  record: Item;
  etag: string;
}

export interface GuardedOptions extends CallOptions {
  /**
   * The tag that the record must still have; `*` for any. A record that was changed in the meantime gives a
   * `conflict`.
   */
  ifMatch?: string | undefined;
}

export type WalkDischargesQuery = Omit<ListDischargeRecordsQuery, 'cursor'>;
export type WalkTransfersQuery = Omit<ListTransferRecordsQuery, 'cursor'>;

/** The guild's records, and the key itself. */
export interface GuildRecordCalls {
  /** This key's data. Any scope. */
  getKey(options?: CallOptions): Promise<ApiKey>;
  /** Deletes this key permanently. Any scope. */
  deleteKey(options?: CallOptions): Promise<void>;
  /** One page of the guild's discharges, newest first. Scope `guild:read`. */
  listDischarges(query?: ListDischargeRecordsQuery, options?: CallOptions): Promise<CursorPage<Discharge>>;
  /** All of the guild's discharges, newest first, for `for await`. Scope `guild:read`. */
  discharges(query?: WalkDischargesQuery, options?: CallOptions): AsyncIterable<Discharge>;
  /** A discharge with its tag. Scope `guild:read`. */
  readDischarge(id: string, options?: CallOptions): Promise<Tagged<Discharge>>;
  /** Creates or replaces a discharge. Scope `records:write`. */
  putDischarge(
    id: string,
    discharge: PutDischargeRecordBody,
    options?: GuardedOptions,
  ): Promise<Tagged<Discharge>>;
  /**
   * Writes a discharge under a new id, which is generated here, so that a repeated attempt does not write a second
   * one. Scope `records:write`.
   */
  addDischarge(discharge: PutDischargeRecordBody, options?: CallOptions): Promise<Tagged<Discharge>>;
  /** Resolves with false when there was no such discharge. Scope `records:write`. */
  deleteDischarge(id: string, options?: GuardedOptions): Promise<boolean>;
  /** One page of the guild's transfers, newest first. Scope `guild:read`. */
  listTransfers(query?: ListTransferRecordsQuery, options?: CallOptions): Promise<CursorPage<Transfer>>;
  /** All of the guild's transfers, newest first, for `for await`. Scope `guild:read`. */
  transfers(query?: WalkTransfersQuery, options?: CallOptions): AsyncIterable<Transfer>;
  /** A transfer with its tag. Scope `guild:read`. */
  readTransfer(id: string, options?: CallOptions): Promise<Tagged<Transfer>>;
  /** Creates or replaces a transfer. Scope `records:write`. */
  putTransfer(
    id: string,
    transfer: PutTransferRecordBody,
    options?: GuardedOptions,
  ): Promise<Tagged<Transfer>>;
  /** Writes a transfer under a new id, which is generated here. Scope `records:write`. */
  addTransfer(transfer: PutTransferRecordBody, options?: CallOptions): Promise<Tagged<Transfer>>;
  /** Resolves with false when there was no such transfer. Scope `records:write`. */
  deleteTransfer(id: string, options?: GuardedOptions): Promise<boolean>;
}

const WALK_LIMIT = 100;
type Send = (request: Request) => Promise<Answer>;

export function createGuildRecordCalls(send: Send): GuildRecordCalls {
  const discharges = createKind<Discharge>(send, {
    kind: 'discharges',
    isItem: isDischarge,
    isItems: listOf(isDischarge),
  });
  const transfers = createKind<Transfer>(send, {
    kind: 'transfers',
    isItem: isTransfer,
    isItems: listOf(isTransfer),
  });
  return {
    async getKey({ signal } = {}) {
      return dataOf(await send({ method: 'GET', path: '/guild/key', signal }), 'key', isApiKey);
    },
    async deleteKey({ signal } = {}) {
      await send({ method: 'DELETE', path: '/guild/key', signal });
    },
    listDischarges: discharges.list,
    discharges: discharges.walk,
    readDischarge: discharges.read,
    putDischarge: discharges.put,
    addDischarge: discharges.add,
    deleteDischarge: discharges.remove,
    listTransfers: transfers.list,
    transfers: transfers.walk,
    readTransfer: transfers.read,
    putTransfer: transfers.put,
    addTransfer: transfers.add,
    deleteTransfer: transfers.remove,
  };
}

interface Kind<Item> {
  kind: 'discharges' | 'transfers';
  isItem: (value: unknown) => value is Item;
  isItems: (value: unknown) => value is Item[];
}

/** Transfers have the same filters as discharges, except for the type. */
function createKind<Item>(send: Send, { kind, isItem, isItems }: Kind<Item>) {
  const addressOf = (id: string) => path`/guild/records/${kind}/${id}`;

  function tagged(answer: Answer): Tagged<Item> {
    const etag = answer.headers.get('etag');
    if (etag === null) {
      throw unexpectedAnswer(answer);
    }
    return { record: dataOf(answer, 'record', isItem), etag };
  }

  async function list(
    query: ListDischargeRecordsQuery = {},
    { signal }: CallOptions = {},
  ): Promise<CursorPage<Item>> {
    const address = `/guild/records/${kind}${queryText({ ...query })}`;
    return pageOf(await send({ method: 'GET', path: address, signal }), 'records', isItems);
  }

  async function put(id: string, record: object, { ifMatch, signal }: GuardedOptions = {}) {
    const body = JSON.stringify(record);
    return tagged(await send({ method: 'PUT', path: addressOf(id), body, ifMatch, signal }));
  }

  return {
    list,
    walk: (query?: WalkDischargesQuery, options?: CallOptions) =>
      walk((cursor) => list({ limit: WALK_LIMIT, ...query, cursor }, options)),
    async read(id: string, { signal }: CallOptions = {}) {
      return tagged(await send({ method: 'GET', path: addressOf(id), signal }));
    },
    put,
    add: (record: object, options?: CallOptions) => put(crypto.randomUUID(), record, options),
    remove: async (id: string, { ifMatch, signal }: GuardedOptions = {}) =>
      wasThere(send({ method: 'DELETE', path: addressOf(id), ifMatch, signal })),
  };
}

/** True when a deletion found a record. A repeated attempt finds none, which is no failure. */
export async function wasThere(deletion: Promise<unknown>): Promise<boolean> {
  try {
    await deletion;
    return true;
  } catch (error) {
    if (error instanceof GuildbookError && error.kind === 'not-found') {
      return false;
    }
    throw error;
  }
}
