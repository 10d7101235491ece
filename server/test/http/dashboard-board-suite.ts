import { afterAll, beforeAll, expect, test } from 'vitest';
import { BoardPreviewReply, BoardReply } from '../../src/wire/dashboard-board.ts';
import { createValidate } from '../../src/wire/validation.ts';
import { type DashboardService, GUILD, OTHER_GUILD, type SignedInBrowser } from './dashboard-service.ts';
import { createPoster, readData } from './ledger-pages.ts';

const path = `/dashboard/api/guilds/${GUILD}/board`;
const WANTED = {
  name: 'the-guild',
  isPublished: false,
  names: false,
  leaderboard: true,
  totals: true,
  chart: false,
  movesMin: 12.5,
  commands: true,
};

/** The settings of a guild's public page, on one store. */
export function describeDashboardBoard(start: () => Promise<DashboardService>): void {
  let service: DashboardService;
  let olga: SignedInBrowser;
  beforeAll(async () => {
    service = await start();
    olga = await service.signIn('olga');
  });
  afterAll(() => service.stop());

  test('a board has no name at first, then what was chosen, and the log says by whom', async () => {
    const first = await olga.go(path);
    expect(createValidate(BoardReply)(structuredClone(first.body))).toBeUndefined();
    expect(first.body.data).toMatchObject({ name: null, isPublished: false });
    const changed = await olga.change('PUT', path, WANTED);
    expect(changed.status).toBe(200);
    expect(changed.body.data).toEqual({ ...WANTED, movesMin: '12.5' });
    expect((await olga.go(path)).body.data).toEqual(changed.body.data);
    const log = await olga.go(`/dashboard/api/guilds/${GUILD}/audit?kind=guild&limit=1`);
    expect(log.body.data.entries).toMatchObject([
      { actor: { id: '101' }, detail: { after: { boardName: 'the-guild', boardMovesFrom: '12.5' } } },
    ]);
  });

  test.each([
    { ...WANTED, name: 'ab' },
    { ...WANTED, name: 'a'.repeat(33) },
    { ...WANTED, name: 'The-Guild' },
    { ...WANTED, name: '-guild' },
    { ...WANTED, name: 'guild-' },
    { ...WANTED, name: 'guild/embed' },
    { ...WANTED, name: 'gíld' },
    { ...WANTED, name: 'embed' },
    { ...WANTED, name: 'admin' },
    { ...WANTED, movesMin: -1 },
    { ...WANTED, movesMin: 0.00001 },
    { ...WANTED, names: 'yes' },
    { name: 'the-guild' },
  ])('it is not changed to %j', async (body) => {
    const before = (await olga.go(path)).body.data;
    expect((await olga.change('PUT', path, body)).status).toBe(400);
    expect((await olga.go(path)).body.data).toEqual(before);
  });

  test('a name cannot be changed, and not be taken from another guild', async () => {
    await olga.change('PUT', path, WANTED);
    const renamed = await olga.change('PUT', path, { ...WANTED, name: 'another' });
    expect([renamed.status, renamed.body.code]).toEqual([409, 'board_name_fixed']);
    const otto = await service.signIn('otto');
    const taken = await otto.change('PUT', `/dashboard/api/guilds/${OTHER_GUILD}/board`, WANTED);
    expect([taken.status, taken.body.code]).toEqual([409, 'board_name_taken']);
  });

  test('a preview has the parts that are asked for, and publishes nothing', async () => {
    const { post } = await createPoster(service);
    await post({ playerId: 'previewed', amount: 77 });
    const preview = await readData(olga, `${path}/preview?parts=names,leaderboard`, BoardPreviewReply);
    expect(preview.data.html).toContain('previewed');
    expect(preview.data.html).not.toContain('In circulation');
    expect(preview.data.picture).toMatch(/^data:image\/png;base64,iVBOR/);
    const moves = await readData(olga, `${path}/preview?movesMin=70`, BoardPreviewReply);
    expect(moves.data.html).toContain('+\u206877</span>\u2069');
    expect(moves.data.html).not.toContain('previewed');
    expect((await olga.go(`${path}/preview?parts=secrets`)).status).toBe(400);
    expect((await olga.go('/board/preview')).status).toBe(404);
  });
}
