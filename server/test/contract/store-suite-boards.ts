import { randomUUIDv7 } from 'node:crypto';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { USUAL_BOARD } from '../../src/domain/board/board.ts';
import type { Store } from '../../src/domain/ports.ts';
import { aGuild, CHANGE, domainError } from './specimens.ts';
import { type CreatePlace, openPlaceUntilClosed } from './store-place.ts';

/** A name that no other test uses. */
const newName = () => `b-${randomUUIDv7().slice(-12)}`;

export function describeBoardStore(createPlace: CreatePlace): void {
  describe('boards', () => {
    let place: Awaited<ReturnType<typeof openPlaceUntilClosed>>;
    let other: Store;
    beforeAll(async () => {
      place = await openPlaceUntilClosed(createPlace);
      other = await place.openAnother();
    });
    afterAll(() => place.close());

    const newGuild = () => place.store.guilds.set(aGuild({ guildId: randomUUIDv7() }), CHANGE);

    it('a guild has its own board, found by its name, and the log has each change', async () => {
      const { store } = place;
      const [guild, name] = [await newGuild(), newName()];
      const ref = { guildNo: guild.guildNo, guildId: guild.guildId };
      expect(await store.boards.find(guild)).toBeUndefined();
      const board = { ...USUAL_BOARD, name, names: true, movesMinUnits: 12_500 };
      await store.boards.set(guild, board, CHANGE);
      await store.boards.set(guild, board, CHANGE);
      expect(await store.boards.find(guild)).toEqual({ ...board, guild: ref });
      const published = { ...board, isPublished: true, movesMinUnits: undefined, totals: false };
      await store.boards.set(guild, published, CHANGE);
      expect(await store.boards.findNamed([newName(), name])).toEqual([{ ...published, guild: ref }]);
      expect(await store.boards.find(await newGuild())).toBeUndefined();
      const listed = (await store.boards.list()).map((one) => one.name);
      expect(listed).toContain(name);
      expect(listed).toEqual(listed.toSorted());
      const log = await store.audit.list(guild, { limit: 10, subjectKind: 'guild' });
      expect(log.slice(0, 2)).toMatchObject([
        { action: 'update', detail: { after: { boardPublished: true, boardTotals: false } } },
        { action: 'update', detail: { after: { boardName: name, boardMovesFrom: '1.25' } } },
      ]);
      expect(log[2]?.detail.after).not.toHaveProperty('boardName');
    });

    it('a name belongs to the first guild that chose it, and a guild keeps its name', async () => {
      const { store } = place;
      const [guild, second, name] = [await newGuild(), await newGuild(), newName()];
      await store.boards.set(guild, { ...USUAL_BOARD, name }, CHANGE);
      const taken = domainError('board_name_taken');
      await expect(other.boards.set(second, { ...USUAL_BOARD, name }, CHANGE)).rejects.toMatchObject(taken);
      expect(await store.boards.find(second)).toBeUndefined();
      const fixed = domainError('board_name_fixed');
      await expect(
        store.boards.set(guild, { ...USUAL_BOARD, name: newName() }, CHANGE),
      ).rejects.toMatchObject(fixed);
    });

    it('of many guilds that choose one name at the same time, one gets it', async () => {
      const name = newName();
      const guilds = await Promise.all(Array.from({ length: 6 }, newGuild));
      const results = await Promise.allSettled(
        guilds.map((guild, index) =>
          (index % 2 === 0 ? place.store : other).boards.set(guild, { ...USUAL_BOARD, name }, CHANGE),
        ),
      );
      const refusals = results.flatMap((result) => (result.status === 'rejected' ? [result.reason] : []));
      expect(refusals).toHaveLength(5);
      expect(refusals.every(({ code }) => code === 'board_name_taken')).toBe(true);
      expect(await place.store.boards.findNamed([name])).toHaveLength(1);
    });

    it('a change moves the counter here at once, and in another store in time', async () => {
      const { store, passNoticeTime } = place;
      const guild = await newGuild();
      const before = [await store.boards.revision(), await other.boards.revision()];
      await store.boards.set(guild, { ...USUAL_BOARD, name: newName() }, CHANGE);
      expect(await store.boards.revision()).not.toBe(before[0]);
      await passNoticeTime();
      expect(await other.boards.revision()).not.toBe(before[1]);
      expect(await other.boards.revision()).toBe(await store.boards.revision());
    });
  });
}
