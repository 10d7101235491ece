import { expect, it } from 'vitest';
import { createGuilds } from '../../src/domain/access/guilds.ts';
import { createRecords } from '../../src/domain/records/records.ts';
import { aDischarge, aTransfer } from '../contract/specimens.ts';
import { TESTER } from '../support/change.ts';
import { createTestClock } from '../support/clock.ts';
import { testIds } from '../support/ids.ts';
import { openTestStore } from '../support/open-store.ts';

async function openRecords() {
  const { store } = await openTestStore();
  const clock = createTestClock();
  const guilds = createGuilds({ store: store.guilds, clock, defaultPlan: 'none' });
  const guild = await guilds.set({ guildId: 'g', name: 'G' }, TESTER);
  const records = createRecords({ ...store, guilds, clock, ids: testIds });
  const principal = { keyNo: 1, keyId: 'k', guild, scopes: ['guild:read'] as const };
  const { id: _, guildId: _guild, ...discharge } = aDischarge(guild);
  const { id: _id, guildId: _owner, ...transfer } = aTransfer(guild);
  return { store, clock, guild, records, principal, discharge, transfer };
}

it('a record put without an id gets one of its own, and is read by it', async () => {
  const { records, principal, discharge, transfer } = await openRecords();
  const first = await records.discharges.put({ guildId: 'g' }, discharge, TESTER);
  const second = await records.discharges.put({ guildId: 'g' }, discharge, TESTER);
  expect(first.id).not.toBe(second.id);
  expect(await records.discharges.get(principal.guild, first.id)).toEqual({
    ...discharge,
    id: first.id,
    guildId: 'g',
  });
  const moved = await records.transfers.put({ guildId: 'g' }, transfer, TESTER);
  expect(await records.transfers.get(principal.guild, moved.id)).toEqual(moved);
});

it('a record put under its id is replaced, and the same again changes nothing', async () => {
  const { store, guild, records, principal, discharge } = await openRecords();
  const target = { guildId: 'g', id: 'd' };
  await records.discharges.put(target, discharge, TESTER);
  await records.discharges.put(target, { ...discharge, name: 'New' }, TESTER);
  const count = (await store.audit.list(guild, { limit: 100 })).length;
  await records.discharges.put(target, { ...discharge, name: 'New' }, TESTER);
  expect((await records.discharges.get(principal.guild, 'd')).name).toBe('New');
  expect(await store.audit.list(guild, { limit: 100 })).toHaveLength(count);
});

it('a transfer’s time is kept in UTC with milliseconds, and a discharge’s date as it was written', async () => {
  const { records, discharge, transfer } = await openRecords();
  const date = '2026-05-02T20:22:05+02:00';
  const moved = await records.transfers.put({ guildId: 'g' }, { ...transfer, date }, TESTER);
  expect(moved.date).toBe('2026-05-02T18:22:05.000Z');
  const left = await records.discharges.put({ guildId: 'g' }, { ...discharge, date }, TESTER);
  expect(left.date).toBe(date);
});

it('a change is logged with its actor and the time of the clock', async () => {
  const { store, clock, guild, records, discharge } = await openRecords();
  clock.advance(5);
  const actor = { kind: 'user', id: 'chat-7' } as const;
  await records.discharges.put({ guildId: 'g', id: 'd' }, discharge, actor);
  clock.advance(5);
  await records.discharges.delete({ guildId: 'g', id: 'd' }, TESTER);
  const [deleted, created] = await store.audit.list(guild, { limit: 2 });
  expect(created).toMatchObject({ action: 'create', actor, createdAtMs: clock.nowMs() - 5 });
  expect(deleted).toMatchObject({ action: 'delete', actor: TESTER, createdAtMs: clock.nowMs() });
});

it('what is not there cannot be deleted or read, nor anything of a guild that is not there', async () => {
  const { records, principal, discharge, transfer } = await openRecords();
  const target = { guildId: 'g', id: 'nothing' };
  const nowhere = { guildId: 'nowhere', id: 'x' };
  const refusals: [() => unknown, string][] = [
    [() => records.discharges.get(principal.guild, 'nothing'), 'discharge_not_found'],
    [() => records.transfers.get(principal.guild, 'nothing'), 'transfer_not_found'],
    [() => records.discharges.delete(target, TESTER), 'discharge_not_found'],
    [() => records.transfers.delete(target, TESTER), 'transfer_not_found'],
    [() => records.discharges.put(nowhere, discharge, TESTER), 'guild_not_found'],
    [() => records.transfers.put(nowhere, transfer, TESTER), 'guild_not_found'],
    [() => records.discharges.delete(nowhere, TESTER), 'guild_not_found'],
    [() => records.transfers.delete(nowhere, TESTER), 'guild_not_found'],
  ];
  await Promise.all(
    refusals.map(([refused, code]) => expect(async () => refused()).rejects.toMatchObject({ code })),
  );
});

it('a deleted record is gone', async () => {
  const { records, principal, transfer } = await openRecords();
  const { id } = await records.transfers.put({ guildId: 'g', id: 't' }, transfer, TESTER);
  await records.transfers.delete({ guildId: 'g', id }, TESTER);
  await expect(async () => records.transfers.get(principal.guild, id)).rejects.toMatchObject({
    code: 'transfer_not_found',
  });
});
