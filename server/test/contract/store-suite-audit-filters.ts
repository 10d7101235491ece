import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import {
  ACTOR_KINDS,
  type Actor,
  AUDIT_ACTIONS,
  type AuditEntry,
  type AuditFilter,
  type Guild,
  type SubjectKind,
} from '../../src/domain/model.ts';
import type { Store } from '../../src/domain/ports.ts';
import { depth } from '../support/depth.ts';
import { aDischarge, aTransfer, CHANGE, NOON_MS } from './specimens.ts';
import { type CreatePlace, shareByGuild } from './store-place.ts';

const ACTORS: readonly Actor[] = [
  { kind: 'user', id: '4711' },
  { kind: 'user', id: '471' },
  { kind: 'user', id: 'é' },
  { kind: 'key', id: '4711' },
  { kind: 'bot', id: 'bot' },
  { kind: 'operator', id: 'someone:else' },
];
/** Steps of a clock that stops, advances and moves backwards. */
const STEPS_MS = [0, 0, 1, 1_000, -700, 0, 5];

/** Makes, changes and deletes records in the name of everybody, and returns the whole log. */
async function fill(store: Store, guild: Guild): Promise<AuditEntry[]> {
  let atMs = NOON_MS;
  for (let index = 0; index < 90; index += 1) {
    atMs += STEPS_MS[index % STEPS_MS.length] ?? 0;
    const actor = ACTORS[(index + Math.floor(index / 7)) % ACTORS.length] ?? CHANGE.actor;
    const change = { actor, atMs };
    const id = `R-${index % 9}`;
    if (index % 5 === 4) {
      await store.discharges.delete(guild, id, change);
    } else if (index % 3 === 0) {
      await store.transfers.put(guild, [aTransfer(guild, { id, to: `${index}` })], change);
    } else {
      await store.discharges.put(guild, [aDischarge(guild, { id, reason: `${index}` })], change);
    }
  }
  return store.audit.list(guild, { limit: 1_000 });
}

const HALF_THE_TIME = { nil: undefined, freq: 2 };
const TIME = fc.integer({ min: NOON_MS - 2_000, max: NOON_MS + 8_000 });
const FILTER: fc.Arbitrary<AuditFilter> = fc.record({
  actor: fc.option(fc.constantFrom(...ACTORS, { kind: 'user' as const, id: 'nobody' }), HALF_THE_TIME),
  subjectKind: fc.option(
    fc.constantFrom('discharge' as const, 'transfer' as const, 'guild' as const),
    HALF_THE_TIME,
  ),
  subjectKinds: fc.option(
    fc.subarray<SubjectKind>(['discharge', 'transfer', 'guild', 'key'], { minLength: 1 }),
    HALF_THE_TIME,
  ),
  subjectId: fc.option(fc.constantFrom('R-0', 'R-5', 'r-0'), { nil: undefined, freq: 1 }),
  action: fc.option(fc.constantFrom(...AUDIT_ACTIONS), HALF_THE_TIME),
  range: fc.option(fc.record({ sinceMs: TIME, untilMs: TIME }), HALF_THE_TIME),
});

function matching(
  log: readonly AuditEntry[],
  { actor, subjectKind, subjectKinds, subjectId, action, range }: AuditFilter,
): AuditEntry[] {
  return log
    .filter(
      (entry) => actor === undefined || (entry.actor.kind === actor.kind && entry.actor.id === actor.id),
    )
    .filter((entry) => subjectKind === undefined || entry.subjectKind === subjectKind)
    .filter((entry) => subjectKinds === undefined || subjectKinds.includes(entry.subjectKind))
    .filter((entry) => subjectId === undefined || entry.subjectId === subjectId)
    .filter((entry) => action === undefined || entry.action === action)
    .filter(
      ({ createdAtMs }) =>
        range === undefined || (createdAtMs >= range.sinceMs && createdAtMs < range.untilMs),
    );
}

export function describeAuditFilters(createPlace: CreatePlace): void {
  describe('filters of the audit log', () => {
    const open = shareByGuild(createPlace);

    it('leave what matches by hand, newest first, page by page', async () => {
      const { store, guild, foundAnother } = await open();
      await fill(store, await foundAnother());
      const log = await fill(store, guild);
      const sorted = log.toSorted((a, b) => b.createdAtMs - a.createdAtMs || b.entryNo - a.entryNo);
      expect(log).toEqual(sorted);
      expect(log.length).toBeGreaterThan(60);
      await fc.assert(
        fc.asyncProperty(FILTER, fc.integer({ min: 1, max: 30 }), async (filter, limit) => {
          const seen: AuditEntry[] = [];
          for (let page = await store.audit.list(guild, { ...filter, limit }); page.length > 0; ) {
            expect(page.length).toBeLessThanOrEqual(limit);
            seen.push(...page);
            page = await store.audit.list(guild, { ...filter, limit, beforeEntryNo: page.at(-1)?.entryNo });
          }
          expect(seen).toEqual(matching(log, filter));
        }),
        { numRuns: depth({ normal: 60, deep: 300 }) },
      );
    });

    it('hold before any entry, whether it matches or not', async () => {
      const { store, guild } = await open();
      const log = await fill(store, guild);
      await fc.assert(
        fc.asyncProperty(FILTER, fc.nat(log.length - 1), async (filter, index) => {
          const beforeEntryNo = log[index]?.entryNo;
          const listed = await store.audit.list(guild, { ...filter, limit: 1_000, beforeEntryNo });
          expect(listed).toEqual(matching(log.slice(index + 1), filter));
          const page = { ...filter, limit: 1_000, beforeEntryNo };
          expect(await store.audit.listForExport(guild, page)).toEqual(listed);
        }),
        { numRuns: depth({ normal: 100, deep: 500 }) },
      );
      for (const [index, { entryNo, createdAtMs }] of log.entries()) {
        const filter = { range: { sinceMs: 0, untilMs: createdAtMs } };
        const listed = await store.audit.list(guild, { ...filter, limit: 1_000, beforeEntryNo: entryNo });
        expect(listed).toEqual(matching(log.slice(index), filter));
      }
      const beyond = await store.audit.list(guild, { limit: 1_000, beforeEntryNo: 1_000_000 });
      expect(beyond).toEqual(log);
    });

    it('name everybody in the log once, by kind and id, up to the limit', async () => {
      const { store, guild, foundAnother } = await open();
      const other = await foundAnother();
      expect(await store.audit.actors(guild, { limit: 100 })).toEqual([CHANGE.actor]);
      await fill(store, guild);
      const expected = [...ACTORS, CHANGE.actor]
        .map(({ kind, id }) => ({ kind, id }))
        .sort((a, b) => Buffer.compare(Buffer.from(`${a.kind}:${a.id}`), Buffer.from(`${b.kind}:${b.id}`)));
      expect(await store.audit.actors(guild, { limit: 100 })).toEqual(expected);
      const few = await store.audit.actors(guild, { limit: ACTOR_KINDS.length });
      expect(few).toHaveLength(ACTOR_KINDS.length);
      const ofKinds = (...subjectKinds: SubjectKind[]) =>
        store.audit.actors(guild, { limit: 100, subjectKinds });
      expect(await ofKinds('guild')).toEqual([CHANGE.actor]);
      expect(await ofKinds('guild', 'transfer', 'discharge')).toEqual(expected);
      expect(await ofKinds('key', 'role')).toEqual([]);
      expect(await store.audit.actors(other, { limit: 100 })).toEqual([CHANGE.actor]);
    });
  });
}
