import { describe, expect, it, onTestFinished } from 'vitest';
import { type AuditFilter, SORT_ORDERS } from '../../src/domain/model.ts';
import { RECORD_SORT_KEYS } from '../../src/domain/records/record-lists.ts';
import { createAuditStore } from '../../src/store/audit/audit-log.ts';
import { createDischargeStore, createTransferStore } from '../../src/store/records/records.ts';
import { aDischarge, aGuild, aRecordQuery, aTransfer, CHANGE } from '../contract/specimens.ts';
import { openTestStore } from '../support/open-store.ts';
import { openStoreFile } from '../support/read-store.ts';
import { createEngineHere } from '../support/sqlite-engine.ts';

/** A file with a few records, and a look at what is prepared for it. */
async function openRecording() {
  const { store, file } = await openTestStore();
  const guild = await store.guilds.set(aGuild(), CHANGE);
  await store.discharges.put(guild, [aDischarge(guild)], CHANGE);
  await store.transfers.put(guild, [aTransfer(guild)], CHANGE);
  const db = openStoreFile(file);
  onTestFinished(() => db.close());
  const prepared: string[] = [];
  const recording = new Proxy(db, {
    get(target, name) {
      if (name === 'prepare') {
        return (sql: string) => {
          prepared.push(sql);
          return target.prepare(sql);
        };
      }
      const value = Reflect.get(target, name, target);
      return typeof value === 'function' ? value.bind(target) : value;
    },
  });
  const planOf = (sql: string) =>
    db
      .prepare(`EXPLAIN QUERY PLAN ${sql}`)
      .all()
      .map((row) => ({ id: row.id, parent: row.parent, detail: String(row.detail) }));
  return { guild, recording, prepared, planOf };
}

type Plan = { id: unknown; parent: unknown; detail: string }[];

/** The steps that read a table, in order. */
const readsOf = (plan: Plan) =>
  plan
    .map(({ detail }) => detail)
    .filter((detail) => /^(SEARCH|SCAN) (?!page|counted|CONSTANT)/.test(detail));

/** The steps that find the keys of a page. Later steps read only the page. */
function keyStepsOf(plan: Plan): string[] {
  const page = plan.find(({ detail }) => /^(CO-ROUTINE|MATERIALIZE) page$/.test(detail));
  return plan
    .filter(({ parent, detail }) => parent === page?.id && !detail.startsWith('SCALAR SUBQUERY'))
    .map(({ detail }) => detail);
}

const noWrites = () => Promise.reject(new Error('listing does not write'));
// biome-ignore lint/correctness/useYield: it is never begun
async function* noReading(): AsyncGenerator<never> {
  throw new Error('listing does not export');
}

const FILTERS = [{}, { search: 'a' }, { type: 'Honourable' }, { search: 'a', type: 'Honourable' }];

describe('the plans of record lists', () => {
  it('each list finds its ids in one index alone, in order, and fetches only the page’s rows', async () => {
    const { guild, recording, prepared, planOf } = await openRecording();
    const parts = { engine: createEngineHere(recording), lookAgain() {}, exportRecords: noReading };
    const discharges = createDischargeStore(parts);
    const transfers = createTransferStore(parts);
    for (const sortBy of RECORD_SORT_KEYS) {
      for (const sortOrder of SORT_ORDERS) {
        for (const filter of FILTERS) {
          const query = aRecordQuery({ sortBy, sortOrder, ...filter });
          prepared.length = 0;
          await discharges.list(guild, query);
          if (filter.type === undefined) {
            await transfers.list(guild, query);
          }
          const pages = prepared.filter((sql) => sql.includes('ORDER BY'));
          expect(pages.length).toBe(filter.type === undefined ? 2 : 1);
          for (const sql of pages) {
            const table = sql.includes('FROM transfer') ? 'transfer' : 'discharge';
            const isByType = sortBy === 'date' && filter.type !== undefined && filter.search === undefined;
            const index = `${table}_by_${isByType ? 'type' : sortBy}`;
            const plan = planOf(sql);
            // One step: the keys come out of the index in order, and nothing sorts them.
            expect(keyStepsOf(plan)).toEqual([
              expect.stringMatching(
                new RegExp(`^SEARCH ${table} USING COVERING INDEX ${index} \\(guild_no=\\?`),
              ),
            ]);
            const outermost = readsOf(plan.filter(({ parent }) => parent === 0));
            expect(outermost).toEqual([
              `SEARCH r USING PRIMARY KEY (guild_no=? AND ${table}_id=?) LEFT-JOIN`,
            ]);
          }
        }
      }
    }
  });

  it('counts and kinds read one index each', async () => {
    const { guild, recording, prepared, planOf } = await openRecording();
    const parts = { engine: createEngineHere(recording), lookAgain() {}, exportRecords: noReading };
    const discharges = createDischargeStore(parts);
    for (const filter of FILTERS) {
      await discharges.list(guild, aRecordQuery({ ...filter, range: { sinceMs: 0, untilMs: 1 } }));
    }
    await discharges.types(guild, 50);
    await discharges.countByPlayer(guild, ['p']);
    const counts = prepared.filter((sql) => /count\(\*\)|min\(type\)/.test(sql));
    expect(counts.length).toBeGreaterThanOrEqual(6);
    for (const sql of counts) {
      for (const step of readsOf(planOf(sql)).filter(
        (one) => !/ kind| r USING PRIMARY KEY|json_each/.test(one),
      )) {
        expect(step, sql).toMatch(/ USING COVERING INDEX \w+ \(guild_no=\?/);
      }
    }
  });
});

describe('the plans of the audit log', () => {
  it('each filter finds its entries in one index alone and in order, and everybody by jumps', async () => {
    const { guild, recording, prepared, planOf } = await openRecording();
    const store = createAuditStore({ read: createEngineHere(recording).read, exportPage: noWrites });
    const filters: [AuditFilter, string][] = [
      [{}, 'audit_by_time (guild_no=? AND created_at>'],
      [{ action: 'create' }, 'audit_by_time (guild_no=? AND created_at>'],
      [{ subjectKind: 'guild' }, 'audit_by_kind (guild_no=? AND subject_kind=? AND created_at>'],
      [
        { subjectKind: 'guild', action: 'create' },
        'audit_by_kind (guild_no=? AND subject_kind=? AND created_at>',
      ],
    ];
    const byActor = filters.map(([filter]): [AuditFilter, string] => [
      { ...filter, actor: CHANGE.actor },
      'audit_by_actor (guild_no=? AND actor_kind=? AND actor_id=? AND created_at>',
    ]);
    const ofOne = { subjectKind: 'guild', subjectId: 'x' } as const;
    const bySubject = [ofOne, { ...ofOne, actor: CHANGE.actor, action: 'create' as const }].map(
      (filter): [AuditFilter, string] => [
        filter,
        'audit_by_subject (guild_no=? AND subject_kind=? AND subject_id=? AND created_at>',
      ],
    );
    for (const [filter, index] of [...filters, ...byActor, ...bySubject]) {
      prepared.length = 0;
      await store.list(guild, { ...filter, limit: 10 });
      const [sql = ''] = prepared;
      const [keys, rows, ...more] = readsOf(planOf(sql));
      expect(keys).toContain(`SEARCH audit_entry USING COVERING INDEX ${index}`);
      expect(rows).toBe('SEARCH r USING PRIMARY KEY (guild_no=? AND entry_no=?)');
      expect(more).toEqual([]);
      expect(keyStepsOf(planOf(sql))).toEqual([keys]);
    }
    await createAuditStore({ read: createEngineHere(recording).read, exportPage: noWrites }).actors(guild, {
      limit: 10,
    });
    const actors = prepared.filter((sql) => sql.includes('min(actor_id)')).at(-1) ?? '';
    const jumps = readsOf(planOf(actors)).filter((step) => step.includes('audit_entry'));
    expect(jumps).toHaveLength(2);
    for (const jump of jumps) {
      expect(jump).toContain('audit_entry USING COVERING INDEX audit_by_actor (guild_no=? AND actor_kind=?');
    }
  });

  it('entries of some kinds only come from the index by kind, however many others are between them', async () => {
    const { guild, recording, prepared, planOf } = await openRecording();
    const store = createAuditStore({ read: createEngineHere(recording).read, exportPage: noWrites });
    const subjectKinds = ['guild', 'discharge', 'account'] as const;
    prepared.length = 0;
    await store.list(guild, { subjectKinds, limit: 10 });
    const [sql = ''] = prepared;
    const reads = readsOf(planOf(sql)).filter((step) => step.includes('audit_entry'));
    expect(reads).toHaveLength(subjectKinds.length);
    for (const step of reads) {
      expect(step).toContain(
        'SEARCH audit_entry USING COVERING INDEX audit_by_kind (guild_no=? AND subject_kind=? AND created_at>',
      );
    }
    prepared.length = 0;
    await store.actors(guild, { subjectKinds, limit: 10 });
    const [actors = ''] = prepared;
    expect(readsOf(planOf(actors)).filter((step) => step.includes('SEARCH own'))).toEqual([
      expect.stringContaining('COVERING INDEX audit_by_actor (guild_no=? AND actor_kind=? AND actor_id=?'),
    ]);
  });
});
