import { afterAll, beforeAll, beforeEach, describe, expect, test } from 'vitest';
import { LinkImportReply } from '../../src/wire/dashboard-people.ts';
import { RecordImportReply } from '../../src/wire/dashboard-records.ts';
import { createValidate } from '../../src/wire/validation.ts';
import { changeAt } from '../support/change.ts';
import { DISCHARGE, TRANSFER } from './changing-step.ts';
import { invite } from './dashboard-people.ts';
import { type DashboardService, GUILD, type SignedInBrowser } from './dashboard-service.ts';
import { createPoster, guildPath } from './ledger-pages.ts';

/** Imports of files from the dashboard: records and verifications, on one store. Needs `GUILD_EDITS_VERIFICATIONS`. */
export function describeDashboardImports(start: () => Promise<DashboardService>): void {
  let service: DashboardService;
  let olga: SignedInBrowser;

  beforeAll(async () => {
    service = await start();
    olga = await service.signIn('olga');
    const { post } = await createPoster(service);
    for (const playerId of ['p1', 'p2', 'p3']) {
      await post({ playerId });
    }
  });
  // Limits are not the point here.
  beforeEach(() => service.clock.advance(60_000));
  afterAll(() => service.stop());

  const entriesOf = async (subjectKind: 'discharge' | 'transfer' | 'verification') =>
    service.store.audit.list(await service.guilds.find(GUILD), { limit: 2_000, subjectKind });

  describe.each([
    ['discharges', DISCHARGE],
    ['transfers', TRANSFER],
  ] as const)('an import of %s', (kind, record) => {
    const subjectKind = kind === 'discharges' ? 'discharge' : 'transfer';
    const send = (records: object[], options: object = {}) =>
      olga.change('POST', guildPath(`/${kind}/import`), { records, ...options });
    const outcomesOf = async (records: object[], options: object = {}) =>
      (await send(records, options)).body.data.outcomes;
    const nameOf = async (id: string) => (await olga.go(guildPath(`/${kind}/${id}`))).body.data?.name;

    test('adds what is new, leaves what is there, and replaces it only when asked', async () => {
      const first = { ...record, id: 'a', name: 'First' };
      const reply = await send([first, { ...record, id: 'b' }]);
      expect(createValidate(RecordImportReply)(structuredClone(reply.body))).toBeUndefined();
      expect(reply.body.data.outcomes).toEqual(['created', 'created']);
      const other = { ...first, name: 'Other' };
      expect(await outcomesOf([other, { ...record, id: 'c' }, record])).toEqual([
        'exists',
        'created',
        'created',
      ]);
      expect(await nameOf('a')).toBe('First');
      expect(await outcomesOf([other, { ...record, id: 'b' }], { overwrite: true })).toEqual([
        'updated',
        'unchanged',
      ]);
      expect(await nameOf('a')).toBe('Other');
    });

    test('says what would happen without writing anything', async () => {
      await send([{ ...record, id: 'there' }]);
      const before = (await entriesOf(subjectKind)).length;
      const records = [
        { ...record, id: 'there', name: 'Changed' },
        { ...record, id: 'absent' },
      ];
      expect(await outcomesOf(records, { check: true })).toEqual(['exists', 'created']);
      expect(await outcomesOf(records, { check: true, overwrite: true })).toEqual(['updated', 'created']);
      expect([await nameOf('there'), await nameOf('absent')]).toEqual([record.name, undefined]);
      expect((await entriesOf(subjectKind)).length).toBe(before);
    });

    test('takes a thousand in one commit, each with an audit entry of the person, and no more', async () => {
      const many = Array.from({ length: 1_001 }, (_, index) => ({ ...record, id: `many-${index}` }));
      expect((await send(many)).status).toBe(400);
      const before = (await entriesOf(subjectKind)).length;
      const outcomes: string[] = await outcomesOf(many.slice(1));
      expect(outcomes.filter((outcome) => outcome === 'created')).toHaveLength(1_000);
      const entries = await entriesOf(subjectKind);
      expect(entries.length).toBe(before + 1_000);
      expect(entries[0]?.actor).toEqual({ kind: 'user', id: '101' });
      // Sent again, as after an answer that was lost.
      expect(new Set(await outcomesOf(many.slice(1)))).toEqual(new Set(['exists']));
    });

    test('is refused whole when one record is invalid', async () => {
      const refused = await send([
        { ...record, id: 'good' },
        { ...record, id: 'bad', date: 'soon' },
      ]);
      expect(refused.status).toBe(400);
      expect(refused.body.message).toContain('records[1]');
      expect(await nameOf('good')).toBeUndefined();
    });
  });

  describe('an import of verifications', () => {
    const send = (verifications: object[], options: object = {}) =>
      olga.change('POST', guildPath('/verifications/import'), { verifications, ...options });
    const link = (playerId: string, chatId: string, username = `name of ${playerId}`) => ({
      playerId,
      chatId,
      username,
    });
    const holderOf = async (playerId: string) =>
      (await service.store.verifications.find(['player'], playerId))?.chatId;

    test('verifies members, leaves others as they are, and replaces them only when asked', async () => {
      await service.store.verifications.put([link('p1', 'c1')], changeAt(service.clock.nowMs()));
      const links = [
        link('p1', 'c9'),
        link('p2', 'c2'),
        link('p1', 'c1'),
        link('nobody', 'c3'),
        link('p3', 'c1'),
      ];
      const expected = ['exists', 'created', 'unchanged', 'unknown', 'exists'];
      const checked = await send(links, { check: true });
      expect(checked.body.data.outcomes).toEqual(expected);
      expect(await holderOf('p2')).toBeUndefined();
      const reply = await send(links);
      expect(createValidate(LinkImportReply)(structuredClone(reply.body))).toBeUndefined();
      expect(reply.body.data.outcomes).toEqual(expected);
      expect([await holderOf('p1'), await holderOf('p2'), await holderOf('nobody')]).toEqual([
        'c1',
        'c2',
        undefined,
      ]);
      expect((await entriesOf('verification')).map(({ actor, subjectId }) => [actor.id, subjectId])).toEqual([
        ['101', 'c2'],
      ]);
      const replaced = await send([link('p1', 'c9'), link('p2', 'c2', 'Renamed')], { overwrite: true });
      expect(replaced.body.data.outcomes).toEqual(['created', 'updated']);
      expect(await holderOf('p1')).toBe('c9');
    });

    test('needs a manager', async () => {
      const treasurer = await invite(service, olga, 'treasurer');
      const body = { verifications: [link('p3', 'c8')] };
      const refused = await treasurer.change('POST', guildPath('/verifications/import'), body);
      expect([refused.status, refused.body.code]).toEqual([403, 'role_required']);
      expect(await holderOf('p3')).toBeUndefined();
    });
  });
}
