import path from 'node:path';
import { setTimeout as pause } from 'node:timers/promises';
import { describe, expect, it } from 'vitest';
import { openStore } from '../../src/compose/stores.ts';
import type { Store } from '../../src/domain/ports.ts';
import { parseCheckpoint } from '../../src/domain/seal/checkpoint.ts';
import { createPostgresPlace } from '../contract/postgres-place.ts';
import { leavesOf } from '../contract/seal-specimens.ts';
import { createReference } from '../seal/reference-tree.ts';
import { createFolder } from '../support/folder.ts';
import { createPosterOn, storeSettings } from '../support/load.ts';
import { untilTrue } from '../support/patience.ts';
import { type ServerProcess, startServer } from '../support/process.ts';
import { findSparePort } from '../support/spare-port.ts';

const KILLS = 50;
const INSTANCES = 3;
const WORKERS = 12;
/** The time between two kills: a killed instance has served, posted and sealed by then. */
const BETWEEN_KILLS_MS = 400;
/** Each kill is followed by a start. */
const TIMEOUT_MS = 1_800_000;

const PLACES = {
  async sqlite() {
    return { databaseUrl: `sqlite:${path.join(createFolder(), 'guildbook.db')}`, remove: async () => {} };
  },
  postgres: createPostgresPlace,
};

describe.each(['sqlite', 'postgres'] as const)('%s', (engine) => {
  it(`no two checkpoints contradict each other that were served through ${KILLS} kills under load`, {
    timeout: TIMEOUT_MS,
  }, async () => {
    const place = await PLACES[engine]();
    const { databaseUrl } = place;
    const poster = await createPosterOn(databaseUrl, 100);
    const served = new Set<string>();
    const instances: { server: ServerProcess; env: Record<string, string> }[] = [];
    for (let index = 0; index < INSTANCES; index += 1) {
      const env = { ...storeSettings(databaseUrl), LOG_LEVEL: 'info', PORT: String(await findSparePort()) };
      instances.push({ server: await startServer({ cwd: createFolder(), env }), env });
    }
    let isOver = false;
    let posted = 0;

    async function work(worker: number): Promise<void> {
      for (let count = 0; !isOver; count += 1) {
        const address = instances[(worker + count) % INSTANCES]?.server.address ?? '';
        const name = `post ${worker} ${count}`;
        const isPosted = await poster.post(address, {
          playerId: `p${count % 9}`,
          name,
          amount: 1,
          quantity: 1,
        });
        posted += isPosted ? 1 : 0;
        await (isPosted ? undefined : pause(20));
      }
    }

    /** Keeps every checkpoint that any instance ever serves. */
    async function watch(index: number): Promise<void> {
      const [key = ''] = poster.keys;
      while (!isOver) {
        const address = instances[index]?.server.address ?? '';
        const reply = await fetch(`${address}/guild/seal`, { headers: { 'x-api-key': key } }).catch(
          () => undefined,
        );
        const text = reply?.status === 200 ? await reply.text().catch(() => '') : '';
        const checkpoint: unknown = text === '' ? undefined : JSON.parse(text).data.checkpoint;
        if (typeof checkpoint === 'string') {
          served.add(checkpoint);
        }
        await pause(150);
      }
    }

    const busy = [
      ...Array.from({ length: WORKERS }, (_, worker) => work(worker)),
      ...instances.map((_, index) => watch(index)),
    ];
    for (let kill = 0; kill < KILLS; kill += 1) {
      await pause(BETWEEN_KILLS_MS);
      const one = instances[kill % INSTANCES];
      if (one !== undefined) {
        one.server.child.kill('SIGKILL');
        await one.server.ended;
        one.server = await startServer({ cwd: createFolder(), env: one.env });
      }
    }
    const store = await openStore(
      { databaseUrl },
      {
        schema: 'expect',
        onFatal(error) {
          throw error;
        },
      },
    );
    isOver = true;
    await Promise.all(busy);
    await untilSealed(store);
    await expectAgreement(store, served);
    expect(posted).toBeGreaterThan(KILLS);
    await store.close();
    for (const { server } of instances) {
      server.child.kill('SIGTERM');
      await server.ended;
    }
    await place.remove();
  });
});

async function stateOf(store: Store) {
  const guild = await store.guilds.find('load');
  if (guild === undefined) {
    throw new Error('the guild is gone');
  }
  return { guild, state: await store.seals.state(guild) };
}

async function untilSealed(store: Store): Promise<void> {
  await untilTrue(async () => {
    const { state } = await stateOf(store);
    return state.log?.size === state.lastNumber;
  });
}

/** Every checkpoint is the root of a beginning of the ledger as it is now. */
async function expectAgreement(store: Store, served: ReadonlySet<string>): Promise<void> {
  const { guild, state } = await stateOf(store);
  const leaves = await leavesOf(store, guild);
  expect(leaves).toHaveLength(state.lastNumber);
  const reference = createReference(leaves);
  const heads = [...served, state.log?.checkpoint ?? ''].map(parseCheckpoint);
  for (const { size, root } of heads) {
    expect(Buffer.from(root).toString('hex')).toBe(Buffer.from(reference.root(size)).toString('hex'));
  }
  // Many sizes, so that agreement means something.
  expect(new Set(heads.map(({ size }) => size)).size).toBeGreaterThan(10);
}
