import { describe, expect, it } from 'vitest';
import {
  ALL_KEPT,
  ANY_REQUEST,
  type ListedRequest,
  type NewKeyRequest,
  REFUSED_KEPT,
} from '../../src/domain/access/key-requests.ts';
import type { Guild } from '../../src/domain/model.ts';
import type { Store } from '../../src/domain/ports.ts';
import { aKey, aKeyRequest, CHANGE, NOON_MS } from './specimens.ts';
import { type CreatePlace, shareByGuild } from './store-place.ts';

const LIMIT = 5_000;

const aRequest = (keyNo: number, index: number, changes: Partial<NewKeyRequest> = {}) =>
  aKeyRequest(keyNo, { requestId: `r-${index}`, atMs: NOON_MS + index, ...changes });

const ANSWERED = { status: 200, code: undefined, message: undefined, isOfAll: true };

async function addKey(store: Store, guild: Guild) {
  const key = aKey(guild);
  await store.keys.insert(key, CHANGE);
  return { keyId: key.keyId, keyNo: (await store.keys.findByHash(key.hash))?.keyNo ?? -1 };
}

const idsOf = (requests: readonly ListedRequest[]) => requests.map(({ requestId }) => requestId);
const range = (from: number, to: number) => Array.from({ length: to - from }, (_, index) => from + index);

export function describeKeyRequests(createPlace: CreatePlace): void {
  describe('requests of keys', () => {
    const open = shareByGuild(createPlace);

    it('are listed newest first with all they have, by key and for the guild, and to no other guild', async () => {
      const { store, guild, foundAnother } = await open();
      const [one, two] = [await addKey(store, guild), await addKey(store, guild)];
      const first = aRequest(one.keyNo, 1);
      const second = aRequest(two.keyNo, 2, { ...ANSWERED, route: 'getKey', method: 'GET' });
      await store.requests.add([first, second]);
      // The same write again, as after a lost connection.
      await store.requests.add([first]);
      const all = await store.requests.list(guild, { ...ANY_REQUEST, limit: LIMIT });
      const { keyNo: _, isOfAll: __, ...shown } = first;
      expect(all).toEqual([expect.objectContaining({ requestId: 'r-2' }), { keyId: one.keyId, ...shown }]);
      expect(all[0]).toMatchObject({ keyId: two.keyId, code: undefined, message: undefined, status: 200 });
      const list = (query: object) => store.requests.list(guild, { ...ANY_REQUEST, limit: LIMIT, ...query });
      expect(idsOf(await list({ keyId: one.keyId }))).toEqual(['r-1']);
      expect(idsOf(await list({ isRefused: true }))).toEqual(['r-1']);
      expect(idsOf(await list({ isRefused: false }))).toEqual(['r-2']);
      expect(idsOf(await list({ route: 'getKey' }))).toEqual(['r-2']);
      expect(idsOf(await list({ code: 'missing_fields' }))).toEqual(['r-1']);
      expect(idsOf(await list({ requestId: 'r-2', isRefused: true }))).toEqual([]);
      expect(idsOf(await list({ before: { atMs: NOON_MS + 2, requestId: 'r-2' } }))).toEqual(['r-1']);
      expect(await store.requests.list(await foundAnother(), { ...ANY_REQUEST, limit: LIMIT })).toEqual([]);
      await store.keys.delete(one.keyId, CHANGE);
      expect(idsOf(await list({}))).toEqual(['r-2']);
    });

    it(`are kept up to ${REFUSED_KEPT} refused ones, of each key on its own`, async () => {
      const { store, guild } = await open();
      const [one, two] = [await addKey(store, guild), await addKey(store, guild)];
      await store.requests.add(range(0, 150).map((index) => aRequest(one.keyNo, index)));
      await store.requests.add([
        ...range(150, 250).map((index) => aRequest(one.keyNo, index)),
        aRequest(two.keyNo, 0),
      ]);
      const ofKey = ({ keyId }: { keyId: string }) =>
        store.requests.list(guild, { ...ANY_REQUEST, keyId, limit: LIMIT });
      expect(idsOf(await ofKey(one))).toEqual(
        range(50, 250)
          .map((index) => `r-${index}`)
          .toReversed(),
      );
      expect(idsOf(await ofKey(two))).toEqual(['r-0']);
    });

    it(`are kept up to ${ALL_KEPT} of all while a key keeps all, and refused ones beside them`, async () => {
      const { store, guild } = await open();
      const { keyNo } = await addKey(store, guild);
      await store.requests.add([aRequest(keyNo, 0)]);
      const count = ALL_KEPT + 30;
      for (let start = 1; start <= count; start += 500) {
        const indexes = range(start, Math.min(start + 500, count + 1));
        await store.requests.add(indexes.map((index) => aRequest(keyNo, index, ANSWERED)));
      }
      const ids = idsOf(await store.requests.list(guild, { ...ANY_REQUEST, limit: LIMIT }));
      expect(ids).toHaveLength(ALL_KEPT + 1);
      expect([ids[0], ids.at(-2), ids.at(-1)]).toEqual([`r-${count}`, 'r-31', 'r-0']);
    });
  });
}
