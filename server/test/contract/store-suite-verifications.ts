import { describe, expect, it } from 'vitest';
import type { LookupKind, Verification } from '../../src/domain/model.ts';
import { changeAt } from '../support/change.ts';
import { aVerification, CHANGE, domainError, LOOKALIKES, NOON_MS } from './specimens.ts';
import { type CreatePlace, shareCleared } from './store-place.ts';

/** A person who is found by `value` as the kind says, and by nothing else. */
function personWith(kind: LookupKind, value: string, chatId: string): Verification {
  const who = `${kind} ${chatId}`;
  const person = aVerification({ chatId, playerId: `player of ${who}`, username: `name of ${who}` });
  const past = { playerId: `past player of ${who}`, username: `past name of ${who}` };
  switch (kind) {
    case 'chat':
      return { ...person, chatId: value };
    case 'player':
      return { ...person, playerId: value };
    case 'name':
      return { ...person, username: value };
    case 'past_player':
      return { ...person, pastUsers: [past, { playerId: value, username: `older ${past.username}` }] };
    case 'past_name':
      return { ...person, pastUsers: [past, { playerId: `older ${past.playerId}`, username: value }] };
  }
}

const KINDS = ['chat', 'player', 'name', 'past_player', 'past_name'] as const satisfies LookupKind[];
// A game account has one holder at a time, so that nobody shares a present one.
const SHARED_KINDS = ['name', 'past_player', 'past_name'] as const satisfies LookupKind[];

export function describeVerificationStore(createPlace: CreatePlace): void {
  describe('verifications', () => {
    const open = shareCleared(createPlace);

    it('a person is found whole by each kind of value, and by no other kind', async () => {
      const { store } = await open();
      for (const kind of KINDS) {
        const value = `value of ${kind}`;
        const person = personWith(kind, value, '1');
        await store.verifications.put([personWith(kind, 'unwanted', '0'), person], CHANGE);
        expect(await store.verifications.find([kind], value)).toEqual(person);
        for (const other of KINDS.filter((one) => one !== kind)) {
          expect(await store.verifications.find([other], value), `${kind} as ${other}`).toBeUndefined();
        }
      }
      expect(await store.verifications.find(['chat'], 'nobody')).toBeUndefined();
    });

    it('who is verified with which of several game accounts is told, past ones aside', async () => {
      const { store } = await open();
      const people = ['1', '2', '3'].map((chatId) => personWith('past_player', `past ${chatId}`, chatId));
      await store.verifications.put(people, CHANGE);
      const [one, , three] = people;
      const asked = [three?.playerId ?? '', 'past 2', 'nobody', one?.playerId ?? ''];
      const expected = [one, three].map((person) => ({
        chatId: person?.chatId,
        playerId: person?.playerId,
        username: person?.username,
      }));
      const find = async (by: 'player' | 'chat', ids: string[]) =>
        (await store.verifications.findVerified(by, ids)).toSorted((first, second) =>
          first.playerId < second.playerId ? -1 : 1,
        );
      expect(await find('player', asked)).toEqual(expected);
      expect(await find('chat', ['3', 'nobody', '1'])).toEqual(expected);
      expect(await find('player', [])).toEqual([]);
    });

    it('past users keep the order they were given in', async () => {
      const { store } = await open();
      const pastUsers = ['z', 'a', 'm', 'B', 'b'].map((letter) => ({
        playerId: `${letter}-id`,
        username: letter,
      }));
      const person = aVerification({ pastUsers });
      await store.verifications.put([person], CHANGE);
      expect((await store.verifications.find(['chat'], person.chatId))?.pastUsers).toEqual(pastUsers);
    });

    it('names, present and past, are compared without regard to case, in any script', async () => {
      const { store } = await open();
      const spellings = [
        ['RowanVale', 'rOWANvALE'],
        ['ZOË', 'zoë'],
        ['Жанна', 'жАННА'],
        ['Ωμέγα', 'ΩΜΈΓΑ'],
      ] as const;
      for (const kind of ['name', 'past_name'] as const) {
        await store.verifications.put(
          spellings.map(([name], index) => personWith(kind, name, String(index))),
          CHANGE,
        );
        for (const [index, [, asked]] of spellings.entries()) {
          const found = await store.verifications.find([kind], asked);
          expect(found?.chatId, `${kind} ${asked}`).toBe(String(index));
        }
      }
    });

    it('values that only look alike are different, but for the case of names', async () => {
      const { store } = await open();
      for (const kind of KINDS) {
        const isName = kind === 'name' || kind === 'past_name';
        for (const [index, [one, other]] of LOOKALIKES.entries()) {
          if (isName && one.toLowerCase() === other.toLowerCase()) continue;
          await store.verifications.put([personWith(kind, one, `chat ${index}`)], CHANGE);
          const found = await store.verifications.find([kind], other);
          expect(found, `${kind}: ${one} and ${other}`).toBeUndefined();
          expect(await store.verifications.find([kind], one)).toBeDefined();
        }
      }
    });

    it('where several share a value the one verified last wins, whatever the order of chatIds and of writing', async () => {
      const { store } = await open();
      for (const kind of SHARED_KINDS) {
        await store.verifications.put([personWith(kind, 'shared', '5')], changeAt(NOON_MS + 2));
        await store.verifications.put([personWith(kind, 'shared', '9')], changeAt(NOON_MS + 1));
        await store.verifications.put([personWith(kind, 'shared', '1')], CHANGE);
        expect((await store.verifications.find([kind], 'shared'))?.chatId, kind).toBe('5');
      }
    });

    it('where several were verified at one time the one whose chatId sorts last byte by byte wins', async () => {
      const { store } = await open();
      const chatIds = ['B', 'a', '10', '9', 'Z'];
      for (const kind of SHARED_KINDS) {
        await store.verifications.put(
          chatIds.map((chatId) => personWith(kind, 'shared', chatId)),
          CHANGE,
        );
        expect((await store.verifications.find([kind], 'shared'))?.chatId, kind).toBe('a');
      }
    });

    it('putting a person again replaces account, name and past, and moves the time', async () => {
      const { store } = await open();
      const before = aVerification({
        chatId: '1',
        pastUsers: [
          { playerId: 'p0', username: 'Zero' },
          { playerId: 'p1', username: 'One' },
        ],
      });
      const after = aVerification({
        chatId: '1',
        playerId: 'p3',
        username: 'Three',
        pastUsers: [{ playerId: 'p2', username: 'Two' }],
      });
      const rival = aVerification({ chatId: '2', playerId: 'p3', username: 'Rival' });
      await store.verifications.put([before], CHANGE);
      await store.verifications.put([rival], changeAt(NOON_MS + 1));
      await store.verifications.put([after], changeAt(NOON_MS + 2));
      expect(await store.verifications.find(['chat'], '1')).toEqual(after);
      expect(await store.verifications.find(['player'], 'p3')).toEqual(after);
      expect(await store.verifications.find(['player'], before.playerId)).toBeUndefined();
      expect(await store.verifications.find(['name'], before.username)).toBeUndefined();
      expect(await store.verifications.find(['past_player'], 'p0')).toBeUndefined();
      expect(await store.verifications.find(['past_name'], 'one')).toBeUndefined();
      expect(await store.verifications.find(['past_name'], 'two')).toEqual(after);
    });

    it('a person named twice in one put is as the last one says', async () => {
      const { store } = await open();
      const first = aVerification({ username: 'First', pastUsers: [{ playerId: 'x', username: 'X' }] });
      const last = aVerification({ username: 'Last' });
      await store.verifications.put([first, last], CHANGE);
      expect(await store.verifications.find(['chat'], last.chatId)).toEqual(last);
      expect(await store.verifications.find(['past_player'], 'x')).toBeUndefined();
    });

    it('a put that fails half-way leaves nothing behind', async () => {
      const { store } = await open();
      const old = aVerification({ chatId: '1', username: 'Old' });
      await store.verifications.put([old], CHANGE);
      // A type-correct caller cannot make a store fail half-way.
      const broken = aVerification({ chatId: '3', playerId: null as unknown as string });
      const put = store.verifications.put([aVerification({ chatId: '1' }), broken], changeAt(NOON_MS + 1));
      await expect(put).rejects.toMatchObject(domainError('internal'));
      expect(await store.verifications.find(['chat'], '1')).toEqual(old);
    });
  });
}
