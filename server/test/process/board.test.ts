import { expect, test } from 'vitest';
import { USUAL_BOARD } from '../../src/domain/board/board.ts';
import { TESTER } from '../support/change.ts';
import { createCommandPlace, GUILD_ID } from './command-place.ts';

test('the operator lists boards and switches one off, which the audit log shows', async () => {
  const place = await createCommandPlace();
  await place.withToolbox(async ({ guilds, store }) => {
    const board = { ...USUAL_BOARD, name: 'too-loud', isPublished: true };
    await store.boards.set(await guilds.find(GUILD_ID), board, { actor: TESTER, atMs: 1 });
  });
  expect((await place.run('board', 'list')).stdout).toMatch(/too-loud +814203957731622912 +yes/);
  expect((await place.run('board', 'hide', 'too-loud')).status).toBe(0);
  const listed = JSON.parse((await place.run('board', 'list', '--json')).stdout);
  expect(listed).toEqual([{ name: 'too-loud', guildId: GUILD_ID, isPublished: false }]);
  const [entry] = await place.withToolbox(async ({ guilds, store }) =>
    store.audit.list(await guilds.find(GUILD_ID), { limit: 1 }),
  );
  expect(entry).toMatchObject({ actor: { kind: 'operator' }, detail: { after: { boardPublished: false } } });
  const unknown = await place.run('board', 'hide', 'nobody');
  expect([unknown.status, unknown.stderr]).toEqual([1, expect.stringContaining('there is no board nobody')]);
});
