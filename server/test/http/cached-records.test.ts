import { afterAll, beforeAll, expect, test } from 'vitest';
import type { Guild } from '../../src/domain/model.ts';
import { aDischarge, aTransfer, aVerification, CHANGE } from '../contract/specimens.ts';
import { openStoreFile } from '../support/read-store.ts';
import { startTestService, type TestService } from '../support/service.ts';

let service: TestService;
let calm: { guild: Guild; key: string };
let busy: { guild: Guild; key: string };
beforeAll(async () => {
  service = await startTestService();
  [calm, busy] = [await addGuild('calm'), await addGuild('busy')];
});
afterAll(() => service.stop());

async function addGuild(guildId: string) {
  const guild = await service.addGuild(guildId);
  await putRecords(guild, 'first');
  return { guild, key: (await service.addKey(guildId)).value };
}

async function putRecords(guild: Guild, name: string): Promise<void> {
  await service.store.discharges.put(guild, [aDischarge(guild, { id: 'D', name })], CHANGE);
  await service.store.transfers.put(guild, [aTransfer(guild, { id: 'T', name })], CHANGE);
}

/** The names in both records of a guild. */
async function namesOf({ key }: { key: string }): Promise<string[]> {
  const discharge = await service.send({ url: '/guild/discharges/D', key });
  const transfer = await service.send({ url: '/guild/transfers/T', key });
  return [discharge.body.data.name, transfer.body.name];
}

test("an import into one guild leaves another guild's cached record in the cache", async () => {
  expect(await namesOf(calm)).toEqual(['first', 'first']);
  expect(await namesOf(busy)).toEqual(['first', 'first']);
  // Behind the back of the counters, so that only what is read from the store again shows it.
  const db = openStoreFile(service.file);
  db.exec(`DROP TRIGGER discharge_updated; DROP TRIGGER transfer_updated;
    UPDATE discharge SET name = 'unseen' WHERE guild_no = ${calm.guild.guildNo};
    UPDATE transfer SET name = 'unseen' WHERE guild_no = ${calm.guild.guildNo}`);
  db.close();
  const { discharges, transfers } = service.store;
  await discharges.put(busy.guild, [aDischarge(busy.guild, { id: 'D2' })], CHANGE);
  await transfers.put(busy.guild, [aTransfer(busy.guild, { id: 'T2' })], CHANGE);
  expect(await namesOf(calm)).toEqual(['first', 'first']);
  await discharges.put(calm.guild, [aDischarge(calm.guild, { id: 'D2' })], CHANGE);
  expect(await namesOf(calm)).toEqual(['unseen', 'unseen']);
});

test('what was absent when it was asked for is found once it is there, and absent again once it is deleted', async () => {
  const { guild, key } = calm;
  const { discharges, transfers, verifications } = service.store;
  const statuses = async () => {
    const urls = ['/guild/discharges/late', '/guild/transfers/late', '/users/Latecomer'];
    const answers = await Promise.all(urls.map((url) => service.send({ url, key })));
    return answers.map(({ status }) => status);
  };
  expect(await statuses()).toEqual([404, 404, 404]);
  expect(await statuses()).toEqual([404, 404, 404]);
  await discharges.put(guild, [aDischarge(guild, { id: 'late' })], CHANGE);
  await transfers.put(guild, [aTransfer(guild, { id: 'late' })], CHANGE);
  await verifications.put([aVerification({ username: 'Latecomer' })], CHANGE);
  expect(await statuses()).toEqual([200, 200, 200]);
  await discharges.delete(guild, 'late', CHANGE);
  await transfers.delete(guild, 'late', CHANGE);
  expect(await statuses()).toEqual([404, 404, 200]);
});
