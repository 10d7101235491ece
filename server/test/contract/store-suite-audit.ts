import { describe, expect, it } from 'vitest';
import type { AuditEntry, Change, GuildRef } from '../../src/domain/model.ts';
import type { Store } from '../../src/domain/ports.ts';
import { catalogueTag } from '../../src/domain/records/commands.ts';
import {
  aCommand,
  aDischarge,
  aGuild,
  aKey,
  aTransaction,
  aTransfer,
  aVerification,
  CHANGE,
  domainError,
  NOON_MS,
} from './specimens.ts';
import { type CreatePlace, openPlace, shareByGuild } from './store-place.ts';

const BOT: Change = { actor: { kind: 'bot', id: 'bot' }, atMs: NOON_MS + 7 };
const ALL = { limit: 1_000 };

/** The compared part of an entry: the action, the record, and how it changed. */
type Logged = Pick<AuditEntry, 'action' | 'subjectKind' | 'subjectId' | 'detail'>;

async function logOf(store: Store, guild: GuildRef | undefined, sinceEntryNo = 0): Promise<Logged[]> {
  const entries = await store.audit.list(guild, ALL);
  return entries
    .filter((entry) => entry.entryNo > sinceEntryNo)
    .reverse()
    .map(({ action, subjectKind, subjectId, detail }) => ({ action, subjectKind, subjectId, detail }));
}

async function lastEntryNo(store: Store, guild: GuildRef | undefined): Promise<number> {
  return (await store.audit.list(guild, { limit: 1 }))[0]?.entryNo ?? 0;
}

export function describeAuditStore(createPlace: CreatePlace): void {
  describe('the audit log', () => {
    const open = shareByGuild(createPlace);

    async function openFresh() {
      const { store, guild, foundAnother } = await open();
      return { store, guild, foundAnother, since: await lastEntryNo(store, guild) };
    }

    it('says who made a guild, when, and what it was given', async () => {
      const { store } = await open();
      const {
        guildId,
        defaultPlan: _,
        ...given
      } = aGuild({
        guildId: 'made by a bot',
        icon: 'picture',
        overdraftAllowed: false,
        sealPublic: true,
        ownAccounts: false,
      });
      const guild = await store.guilds.set(aGuild({ ...given, guildId }), BOT);
      expect(await store.audit.list(guild, ALL)).toEqual([
        {
          entryNo: expect.any(Number),
          createdAtMs: BOT.atMs,
          actor: BOT.actor,
          action: 'create',
          subjectKind: 'guild',
          subjectId: guildId,
          detail: { after: given },
        },
      ]);
    });

    it('holds the changed fields of a guild as they were and as they are, and no others', async () => {
      const { store, guild, since } = await openFresh();
      const { guildId } = guild;
      await store.guilds.set(aGuild({ guildId, name: 'New', plan: 'none', planUntilMs: 5 }), BOT);
      await store.guilds.set(aGuild({ guildId, name: 'New', plan: 'none', icon: 'x' }), BOT);
      const [first, second] = await logOf(store, guild, since);
      expect(first).toEqual({
        action: 'update',
        subjectKind: 'guild',
        subjectId: guild.guildId,
        detail: {
          before: { name: guild.name, plan: guild.plan },
          after: { name: 'New', plan: 'none', planUntilMs: 5 },
        },
      });
      expect(second?.detail).toEqual({ before: { planUntilMs: 5 }, after: { icon: 'x' } });
    });

    it('names a new key and a deleted one, but neither its hash nor its uses', async () => {
      const { store, guild, since } = await openFresh();
      const key = aKey(guild, { hash: 'hash-never-logged' });
      await store.keys.insert(key, BOT);
      const keyNo = (await store.keys.findByHash(key.hash))?.keyNo ?? -1;
      await store.keys.touch([{ keyNo, usedAtMs: NOON_MS }]);
      await store.keys.delete(key.keyId, BOT);
      const log = await logOf(store, guild, since);
      const { name, prefix, scopes, expiresAtMs } = key;
      expect(log).toEqual([
        {
          action: 'create',
          subjectKind: 'key',
          subjectId: key.keyId,
          detail: { after: { name, prefix, scopes, expiresAtMs } },
        },
        {
          action: 'delete',
          subjectKind: 'key',
          subjectId: key.keyId,
          detail: { before: { name, prefix, scopes, expiresAtMs } },
        },
      ]);
      expect(JSON.stringify(log)).not.toContain(key.hash);
    });

    it('tells the life of a discharge and of a transfer: made, changed, deleted', async () => {
      const { store, guild, since } = await openFresh();
      const discharge = aDischarge(guild);
      const transfer = aTransfer(guild);
      await store.discharges.put(guild, [discharge], CHANGE);
      await store.discharges.put(guild, [{ ...discharge, reason: 'Another' }], CHANGE);
      await store.discharges.delete(guild, discharge.id, CHANGE);
      await store.transfers.put(guild, [transfer], CHANGE);
      await store.transfers.put(guild, [{ ...transfer, to: 'Third', signed: '' }], CHANGE);
      await store.transfers.delete(guild, transfer.id, CHANGE);
      const ofDischarge = { subjectKind: 'discharge', subjectId: discharge.id };
      const ofTransfer = { subjectKind: 'transfer', subjectId: transfer.id };
      expect(await logOf(store, guild, since)).toEqual([
        { ...ofDischarge, action: 'create', detail: { after: discharge } },
        {
          ...ofDischarge,
          action: 'update',
          detail: { before: { reason: discharge.reason }, after: { reason: 'Another' } },
        },
        { ...ofDischarge, action: 'delete', detail: { before: { ...discharge, reason: 'Another' } } },
        { ...ofTransfer, action: 'create', detail: { after: transfer } },
        {
          ...ofTransfer,
          action: 'update',
          detail: {
            before: { to: transfer.to, signed: transfer.signed },
            after: { to: 'Third', signed: '' },
          },
        },
        { ...ofTransfer, action: 'delete', detail: { before: { ...transfer, to: 'Third', signed: '' } } },
      ]);
    });

    it('grows by nothing when nothing changed, and when nothing was there to delete', async () => {
      const { store, guild } = await openFresh();
      await store.discharges.put(guild, [aDischarge(guild)], CHANGE);
      await store.transfers.put(guild, [aTransfer(guild)], CHANGE);
      const before = await lastEntryNo(store, guild);
      await store.guilds.set({ guildId: guild.guildId, defaultPlan: 'enterprise' }, BOT);
      await store.discharges.put(guild, [aDischarge(guild)], BOT);
      await store.transfers.put(guild, [aTransfer(guild)], BOT);
      await store.discharges.delete(guild, 'nothing', BOT);
      await store.transfers.delete(guild, 'nothing', BOT);
      await store.keys.delete('nothing', BOT);
      expect(await lastEntryNo(store, guild)).toBe(before);
    });

    it('says nothing of transactions: the ledger is its own log', async () => {
      const { store, guild, since } = await openFresh();
      await store.ledger.append(aTransaction(guild));
      expect(await logOf(store, guild, since)).toEqual([]);
    });

    it('holds nothing of a write that failed, not even of its good half', async () => {
      const { store, guild, since } = await openFresh();
      // A type-correct caller cannot make a store fail half-way, so the record is spoilt behind the compiler's back.
      const broken = { name: null as unknown as string };
      const results = await Promise.allSettled([
        store.discharges.put(guild, [aDischarge(guild, { id: 'neighbour' })], CHANGE),
        store.discharges.put(
          guild,
          [aDischarge(guild, { id: 'good' }), aDischarge(guild, { id: 'bad', ...broken })],
          CHANGE,
        ),
        store.keys.insert(aKey(guild, broken), CHANGE),
      ]);
      expect(results.map(({ status }) => status)).toEqual(['fulfilled', 'rejected', 'rejected']);
      expect((await logOf(store, guild, since)).map((entry) => entry.subjectId)).toEqual(['neighbour']);
    });

    it('is kept for each guild apart, with numbers of its own that rise', async () => {
      const { store, guild, foundAnother, since } = await openFresh();
      const other = await foundAnother();
      await store.discharges.put(guild, [aDischarge(guild, { id: 'ours' })], CHANGE);
      await store.discharges.put(other, [aDischarge(other, { id: 'theirs' })], CHANGE);
      await store.discharges.put(guild, [aDischarge(guild, { id: 'ours too' })], CHANGE);
      expect((await logOf(store, guild, since)).map((entry) => entry.subjectId)).toEqual([
        'ours',
        'ours too',
      ]);
      const theirs = (await logOf(store, other)).map((entry) => entry.subjectId);
      expect(theirs).toEqual([other.guildId, 'theirs']);
    });

    it('lists the newest first, page by page, each entry once', async () => {
      const { store, guild } = await openFresh();
      const ids = Array.from({ length: 25 }, (_, index) => `D-${index}`);
      await Promise.all(ids.map((id) => store.discharges.put(guild, [aDischarge(guild, { id })], CHANGE)));
      const seen: AuditEntry[] = [];
      for (let pages = 0; pages < 20; pages += 1) {
        const page = await store.audit.list(guild, { limit: 4, beforeEntryNo: seen.at(-1)?.entryNo });
        expect(page.length).toBeLessThanOrEqual(4);
        seen.push(...page);
        if (page.length === 0) break;
      }
      expect(seen.map((entry) => entry.subjectId)).toEqual([...ids.reverse(), guild.guildId]);
      expect(await store.audit.list(guild, ALL)).toEqual(seen);
    });

    it('is only added to: an entry reads the same whatever happens to its record later', async () => {
      const { store, guild } = await openFresh();
      await store.discharges.put(guild, [aDischarge(guild)], CHANGE);
      const before = await store.audit.list(guild, ALL);
      await store.discharges.put(guild, [aDischarge(guild, { name: 'Changed' })], BOT);
      await store.discharges.delete(guild, 'D-1', BOT);
      await store.discharges.put(guild, [aDischarge(guild)], BOT);
      const after = await store.audit.list(guild, ALL);
      expect(after).toHaveLength(before.length + 3);
      expect(after.slice(3)).toEqual(before);
    });

    it('keeps verifications and commands under no guild', async () => {
      const { store, openAnother } = await openPlace(createPlace);
      const guild = await store.guilds.set(aGuild(), CHANGE);
      const since = await lastEntryNo(store, guild);
      const one = aVerification({ pastUsers: [{ playerId: 'p', username: 'P' }] });
      await store.verifications.put([one], BOT);
      await store.verifications.put([{ ...one, username: 'Renamed' }], BOT);
      await store.verifications.put([{ ...one, username: 'Renamed' }], BOT);
      await store.verifications.delete(one.chatId, BOT);
      const commands = [aCommand(), aCommand({ name: 'other' })];
      await store.commands.replace(commands, BOT);
      await store.commands.replace(commands, BOT);
      await store.commands.replace([aCommand()], BOT);
      const stale = store.commands.replace([], BOT, 'another tag');
      await expect(stale).rejects.toMatchObject(domainError('commands_changed'));
      const person = { subjectKind: 'verification', subjectId: one.chatId };
      const [made, renamed, forgotten, first, second, ...more] = await logOf(await openAnother(), undefined);
      expect(made).toEqual({ ...person, action: 'create', detail: { after: one } });
      expect(renamed).toEqual({
        ...person,
        action: 'update',
        detail: { before: { username: one.username }, after: { username: 'Renamed' } },
      });
      expect(forgotten).toMatchObject({ ...person, action: 'delete' });
      expect(first).toMatchObject({
        action: 'create',
        subjectKind: 'commands',
        detail: { after: { count: 2, tag: catalogueTag(commands) } },
      });
      expect(second?.detail).toEqual({
        before: { count: 2, tag: catalogueTag(commands) },
        after: { count: 1, tag: catalogueTag([aCommand()]) },
      });
      expect(more).toEqual([]);
      expect(await lastEntryNo(store, guild)).toBe(since);
    });
  });
}
