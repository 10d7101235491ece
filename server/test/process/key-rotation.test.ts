import { expect, test } from 'vitest';
import { createDatabase } from '../postgres/database.ts';
import { depth } from '../support/depth.ts';
import { createFolder } from '../support/folder.ts';
import { createPosterOn, storeSettings } from '../support/load.ts';
import { endNow, runCommand, startServer } from '../support/process.ts';

const KEYS = 60;
const WORKERS = 8;

/** A key is rotated by a command while instances of the service answer posts of other keys. */
async function rotateUnderLoad(databaseUrl: string, instanceCount: number): Promise<void> {
  const cwd = createFolder();
  const env = storeSettings(databaseUrl);
  const poster = await createPosterOn(databaseUrl, KEYS);
  const instances = await Promise.all(Array.from({ length: instanceCount }, () => startServer({ cwd, env })));
  const command = async (...args: string[]) => {
    const { status, stdout, stderr } = await runCommand(['key', ...args, '--json'], { cwd, env });
    expect({ status, stderr }).toMatchObject({ status: 0 });
    return JSON.parse(stdout);
  };
  const scopes = ['--scopes', 'guild:read', '--expires', '7d'];
  const created = await command('create', '--guild', 'load', '--name', 'rotated', ...scopes);
  const statuses = (value: string) =>
    Promise.all(
      instances.map(async ({ address }) => {
        const reply = await fetch(`${address}/guild/key`, { headers: { 'x-api-key': value } });
        await reply.text();
        return reply.status;
      }),
    );

  let isOver = false;
  let posted = 0;
  const load = Array.from({ length: WORKERS }, async (_, worker) => {
    for (let count = 0; !isOver; count += 1) {
      const planned = { playerId: `p${worker}`, name: `${worker}-${count}`, amount: 1, quantity: 1 };
      const { address } = instances[count % instances.length] ?? { address: '' };
      posted += Number(await poster.post(address, planned));
    }
  });
  try {
    let present: string = created.key;
    const accepted = Array(instanceCount).fill(200);
    const unknown = Array(instanceCount).fill(401);
    for (let turn = 0; turn < depth({ normal: 1, deep: 20 }); turn += 1) {
      const former = present;
      expect(await statuses(former)).toEqual(accepted);
      present = (await command('rotate', created.id, '--overlap', '1h')).key;
      expect([await statuses(former), await statuses(present)]).toEqual([accepted, accepted]);
      // The command has said so, and from then on both earlier values are unknown to every instance.
      const between = present;
      present = (await command('rotate', created.id, '--overlap', '0')).key;
      expect([await statuses(former), await statuses(between)]).toEqual([unknown, unknown]);
      expect(await statuses(present)).toEqual(accepted);
    }
  } finally {
    isOver = true;
    await Promise.all(load);
    await Promise.all(instances.map(({ child }) => endNow(child)));
  }
  expect(posted).toBeGreaterThan(0);
}

test('under load a value ends everywhere when the command says so, and no sooner, on SQLite', async () => {
  await rotateUnderLoad(`sqlite:${createFolder()}/guildbook.db`, 1);
});

test('under load a value ends everywhere when the command says so, and no sooner, on PostgreSQL', async () => {
  const database = await createDatabase();
  try {
    await rotateUnderLoad(database.url, 2);
  } finally {
    await database.remove();
  }
});
