import { describe, expect, it } from 'vitest';
import type { GuildRef, NewVerification, PastUser } from '../../src/domain/model.ts';
import type { Store } from '../../src/domain/ports.ts';
import { changeAt } from '../support/change.ts';
import { aGuild, aVerification, CHANGE, NOON_MS } from './specimens.ts';
import { type CreatePlace, openPlace, shareCleared } from './store-place.ts';

/** Somebody on a game account, as the bot reports it: without past accounts. */
function report(chatId: string, playerId: string, username = `name of ${playerId}`): NewVerification {
  return { chatId, playerId, username };
}

function past(...playerIds: string[]): PastUser[] {
  return playerIds.map((playerId) => ({ playerId, username: `name of ${playerId}` }));
}

const pastOf = async (store: Store, chatId: string) =>
  (await store.verifications.find(['chat'], chatId))?.pastUsers;

export function describeVerifying(createPlace: CreatePlace): void {
  describe('verifying', () => {
    const open = shareCleared(createPlace);

    /** A store in which people were verified one after the other. */
    async function openAfter(...reports: NewVerification[]): Promise<Store> {
      const { store } = await open();
      for (const [index, one] of reports.entries()) {
        await store.verifications.put([one], changeAt(NOON_MS + index));
      }
      return store;
    }

    it('another account of one person moves the old one to the front of the past ones, newest first', async () => {
      const store = await openAfter(report('1', 'a'), report('1', 'b'), report('1', 'c'));
      expect(await store.verifications.find(['chat'], '1')).toEqual({
        ...report('1', 'c'),
        pastUsers: past('b', 'a'),
      });
      expect((await store.verifications.find(['past_player'], 'a'))?.chatId).toBe('1');
      expect(await store.verifications.find(['player'], 'a')).toBeUndefined();
    });

    it('an account taken up again leaves the past ones, which never repeat', async () => {
      const store = await openAfter(
        ...['a', 'b', 'c', 'a', 'c', 'b'].map((playerId) => report('1', playerId)),
      );
      expect(await pastOf(store, '1')).toEqual(past('c', 'a'));
      expect(await store.verifications.find(['past_player'], 'b')).toBeUndefined();
    });

    it('a new name on the same account changes the name alone', async () => {
      const store = await openAfter(report('1', 'a'), report('1', 'b'), report('1', 'b', 'Renamed'));
      expect(await store.verifications.find(['chat'], '1')).toEqual({
        ...report('1', 'b', 'Renamed'),
        pastUsers: past('a'),
      });
      expect((await store.verifications.find(['name'], 'renamed'))?.chatId).toBe('1');
      expect(await store.verifications.find(['past_name'], 'name of b')).toBeUndefined();
    });

    it('a past account is remembered with the name it had last', async () => {
      const store = await openAfter(report('1', 'a', 'First'), report('1', 'a', 'Second'), report('1', 'b'));
      expect(await pastOf(store, '1')).toEqual([{ playerId: 'a', username: 'Second' }]);
    });

    it('each report tells whether it created, updated or changed nothing', async () => {
      const { store } = await open();
      const reports = [
        report('1', 'a'),
        report('1', 'a'),
        report('1', 'b'),
        report('2', 'b'),
        report('1', 'c'),
      ];
      expect(await store.verifications.put(reports, CHANGE)).toEqual([
        'created',
        'unchanged',
        'updated',
        'created',
        'created',
      ]);
    });

    it('adding leaves people and accounts that are verified now, and adds the others', async () => {
      const store = await openAfter(report('1', 'a'));
      const reports = [
        report('1', 'b'),
        report('2', 'a'),
        report('1', 'a'),
        report('1', 'a', 'renamed'),
        report('3', 'c'),
        report('4', 'c'),
      ];
      expect(await store.verifications.addFree(reports, changeAt(NOON_MS + 9))).toEqual([
        'exists',
        'exists',
        'unchanged',
        'exists',
        'created',
        'exists',
      ]);
      expect(await store.verifications.find(['chat'], '1')).toEqual({ ...report('1', 'a'), pastUsers: [] });
      expect((await store.verifications.find(['player'], 'c'))?.chatId).toBe('3');
    });

    it('repeating a report does not make it the later one', async () => {
      const { store } = await open();
      await store.verifications.put([report('9', 'a', 'Same')], changeAt(NOON_MS));
      await store.verifications.put([report('1', 'b', 'Same')], changeAt(NOON_MS + 1));
      expect(await store.verifications.put([report('9', 'a', 'Same')], changeAt(NOON_MS + 2))).toEqual([
        'unchanged',
      ]);
      expect((await store.verifications.find(['name'], 'same'))?.chatId).toBe('1');
    });

    it('an account of somebody else is taken from them: they are verified no longer', async () => {
      const store = await openAfter(report('1', 'a'), report('2', 'b'), report('2', 'a'));
      expect(await store.verifications.find(['player'], 'a')).toEqual({
        ...report('2', 'a'),
        pastUsers: past('b'),
      });
      expect(await store.verifications.find(['chat'], '1')).toBeUndefined();
      expect(await store.verifications.find(['past_player'], 'a')).toBeUndefined();
    });

    it('who lost an account keeps the history, and has it back with the next verification', async () => {
      const store = await openAfter(report('1', 'a'), report('1', 'b'), report('2', 'b'), report('1', 'c'));
      expect(await store.verifications.find(['chat'], '1')).toEqual({
        ...report('1', 'c'),
        pastUsers: past('b', 'a'),
      });
    });

    it('an account that goes back and forth ends with the last one, among the past ones of the other', async () => {
      const store = await openAfter(report('1', 'a'), report('2', 'a'), report('1', 'a'), report('2', 'b'));
      expect(await store.verifications.find(['chat'], '1')).toEqual({ ...report('1', 'a'), pastUsers: [] });
      expect(await pastOf(store, '2')).toEqual(past('a'));
    });

    it('two people may change accounts with each other in one put', async () => {
      const { store } = await open();
      await store.verifications.put([report('1', 'a'), report('2', 'b')], CHANGE);
      await store.verifications.put([report('1', 'b'), report('2', 'a')], CHANGE);
      expect(await store.verifications.find(['chat'], '1')).toEqual({
        ...report('1', 'b'),
        pastUsers: past('a'),
      });
      expect(await store.verifications.find(['chat'], '2')).toEqual({
        ...report('2', 'a'),
        pastUsers: past('b'),
      });
    });

    it('a take-over is logged for the former holder and for the new one, in this order', async () => {
      const { store } = await openPlace(createPlace);
      await store.verifications.put([report('1', 'a')], CHANGE);
      await store.verifications.put([report('2', 'a')], changeAt(NOON_MS + 1));
      const [taken, lost, made] = await store.audit.list(undefined, { limit: 10 });
      expect(made).toMatchObject({ subjectId: '1', action: 'create' });
      expect(lost).toMatchObject({
        subjectKind: 'verification',
        subjectId: '1',
        createdAtMs: NOON_MS + 1,
        detail: { before: { playerId: 'a', username: 'name of a' }, after: { movedTo: '2' } },
      });
      expect(taken).toMatchObject({ subjectId: '2', action: 'create', detail: { after: { playerId: 'a' } } });
    });

    it('what a guild does is in that guild’s log too, and in no other', async () => {
      const { store } = await openPlace(createPlace);
      const guild = await store.guilds.set(aGuild(), CHANGE);
      const other = await store.guilds.set(aGuild({ guildId: 'other' }), CHANGE);
      await store.verifications.put([report('1', 'a')], CHANGE);
      await store.verifications.put([report('2', 'a')], CHANGE, guild);
      expect(await store.verifications.delete('2', CHANGE, guild)).toBe(true);
      const of = async (log: GuildRef | undefined) =>
        (await store.audit.list(log, { limit: 10, subjectKind: 'verification' })).map(
          ({ action, subjectId }) => `${action} ${subjectId}`,
        );
      expect(await of(guild)).toEqual(['delete 2', 'create 2', 'update 1']);
      expect(await of(undefined)).toEqual(['delete 2', 'create 2', 'update 1', 'create 1']);
      expect(await of(other)).toEqual([]);
    });

    it('past accounts that are given are taken as they are, in place of what was known', async () => {
      const store = await openAfter(report('1', 'a'), report('1', 'b'), {
        ...report('1', 'c'),
        pastUsers: past('z', 'x', 'y'),
      });
      expect(await pastOf(store, '1')).toEqual(past('z', 'x', 'y'));
      await store.verifications.put([{ ...report('1', 'd'), pastUsers: [] }], CHANGE);
      expect(await pastOf(store, '1')).toEqual([]);
    });

    it('past accounts that are given lose repeats and the present account, keeping the newest', async () => {
      const given = [
        { playerId: 'x', username: 'X new' },
        { playerId: 'p', username: 'present' },
        { playerId: 'y', username: 'Y' },
        { playerId: 'x', username: 'X old' },
      ];
      const store = await openAfter({ ...report('1', 'p'), pastUsers: given });
      expect(await pastOf(store, '1')).toEqual([given[0], given[2]]);
    });

    it('a past account may be the present one of somebody else', async () => {
      const store = await openAfter(
        report('1', 'a'),
        report('1', 'b'),
        aVerification({ chatId: '2', playerId: 'a' }),
      );
      expect((await store.verifications.find(['player'], 'a'))?.chatId).toBe('2');
      expect((await store.verifications.find(['past_player'], 'a'))?.chatId).toBe('1');
    });

    it('who lost an account can be forgotten too, and the log keeps nothing of who it was', async () => {
      const store = await openAfter(report('1', 'a'), report('2', 'a'));
      const later = changeAt(NOON_MS + 60_000);
      expect(await store.verifications.delete('1', later)).toBe(true);
      expect(await store.verifications.delete('1', later)).toBe(false);
      const [entry] = await store.audit.list(undefined, { limit: 1 });
      expect(entry).toMatchObject({ action: 'delete', subjectId: '1' });
      expect(JSON.stringify(entry?.detail)).not.toContain('name of a');
      await store.verifications.put([report('1', 'b')], CHANGE);
      expect(await pastOf(store, '1')).toEqual([]);
    });

    it('a deleted person is forgotten, past accounts included, and begins anew', async () => {
      const store = await openAfter(report('1', 'a'), report('1', 'b'), report('2', 'c'));
      expect(await store.verifications.delete('1', CHANGE)).toBe(true);
      expect(await store.verifications.delete('1', CHANGE)).toBe(false);
      expect(await store.verifications.delete('nobody', CHANGE)).toBe(false);
      expect(await store.verifications.find(['chat'], '1')).toBeUndefined();
      expect(await store.verifications.find(['player'], 'b')).toBeUndefined();
      expect(await store.verifications.find(['past_player'], 'a')).toBeUndefined();
      expect(await store.verifications.find(['chat'], '2')).toBeDefined();
      expect(await store.verifications.put([report('1', 'd')], CHANGE)).toEqual(['created']);
      expect(await pastOf(store, '1')).toEqual([]);
    });
  });
}
