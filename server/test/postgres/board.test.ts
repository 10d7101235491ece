import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { USUAL_BOARD } from '../../src/domain/board/board.ts';
import { CHANGE } from '../contract/specimens.ts';
import { describeBoards } from '../http/board-suite.ts';
import { startTestService, type TestService } from '../support/service.ts';
import { createDatabase, type TestDatabase } from './database.ts';

const settings = ({ url }: TestDatabase) => ({ DATABASE_URL: url, SECRET_KEY: 'k'.repeat(32) });

describe('on PostgreSQL', () => {
  let database: TestDatabase;
  describeBoards(async () => {
    database = await createDatabase();
    return startTestService(settings(database));
  });
  afterAll(() => database.remove());
});

describe('with two instances', () => {
  let database: TestDatabase;
  let one: TestService;
  let other: TestService;
  beforeAll(async () => {
    database = await createDatabase();
    [one, other] = [await startTestService(settings(database)), await startTestService(settings(database))];
  });
  afterAll(async () => {
    await Promise.all([one.stop(), other.stop()]);
    await database.remove();
  });

  test('a board that is switched off at one is gone at the other, and the other way round', async () => {
    const guild = await one.addGuild('g');
    const board = { ...USUAL_BOARD, name: 'two-places' };
    const statusAt = async (service: TestService) =>
      (await service.send({ method: 'GET', url: '/board/two-places' })).status;
    for (const [changing, watching] of [
      [one, other],
      [other, one],
    ] as const) {
      await changing.store.boards.set(guild, { ...board, isPublished: true }, CHANGE);
      await expect.poll(() => statusAt(watching)).toBe(200);
      await changing.store.boards.set(guild, { ...board, isPublished: false }, CHANGE);
      expect(await statusAt(changing)).toBe(404);
      await expect.poll(() => statusAt(watching)).toBe(404);
    }
  });
});
