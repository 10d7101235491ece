import { generateKeyPairSync, sign } from 'node:crypto';
import { once } from 'node:events';
import { createServer } from 'node:http';
import type { AddressInfo } from 'node:net';
import { pino } from 'pino';
import { openToolbox, systemClock, systemIds } from '../server/src/compose.ts';
import { readConfig } from '../server/src/config.ts';
import { GUILD_ID, SMALL } from './support/ledger-file.ts';
import { createLoads, smallPlayerOf } from './support/loads.ts';
import { median } from './support/measure.ts';
import { prepareLedger } from './support/prepare.ts';
import { createFolder } from './support/processes.ts';
import { type RunningServer, startService } from './support/servers.ts';
import { runSteadyLoad } from './support/steady-load.ts';
import { runAndUndo } from './support/undo.ts';
import { type Load, runWrk, writeScript } from './support/wrk.ts';

/**
 * The processor time of a signed command of the chat, and the mixed load of the interface beside 100 commands a second against the
 * mixed load alone, in alternating rounds. On SQLite, with a ledger of 10,000 transactions. Arguments: rounds, seconds of a round.
 */
const ROUNDS = Number(process.argv[2] ?? 5);
const SECONDS = Number(process.argv[3] ?? 5);
const PER_SECOND = 100;
/** Each person sends one command in a round: five in ten seconds are allowed. */
const PEOPLE = PER_SECOND * SECONDS;
const APPLICATION_ID = '1190000000000000001';
const { publicKey, privateKey } = generateKeyPairSync('ed25519');
const PUBLIC_KEY = Buffer.from(publicKey.export({ format: 'jwk' }).x ?? '', 'base64url').toString('hex');
const ACTOR = { kind: 'operator', id: 'bench' } as const;
let interactions = 0;

/** Commands of different people, signed now: a signature is valid for five minutes. */
function commandLoad(name: string): Load {
  const requests = Array.from({ length: PEOPLE }, (_unused, index) => {
    interactions += 1;
    const body = JSON.stringify({
      id: String(1_190_000_000_000_000_000n + BigInt(interactions)),
      application_id: APPLICATION_ID,
      type: 2,
      token: 't'.repeat(180),
      guild_id: GUILD_ID,
      locale: 'en-US',
      member: {
        user: { id: String(500_000 + index), username: 'x' },
        roles: ['1', '2', '3'],
        permissions: '0',
      },
      data: { id: '1', name, type: 1, options: [] },
    });
    const timestamp = String(Math.floor(Date.now() / 1_000));
    const signature = sign(null, Buffer.from(timestamp + body), privateKey).toString('hex');
    const headers = { 'x-signature-ed25519': signature, 'x-signature-timestamp': timestamp };
    return { path: '/chat/interactions', body, headers };
  });
  const [first = { path: '/chat/interactions' }] = requests;
  return { count: PEOPLE, request: (index) => requests[index] ?? first };
}

async function verifyPeople(databaseUrl: string): Promise<void> {
  const environment = {
    clock: systemClock,
    ids: systemIds,
    logger: pino({ level: 'error' }),
    onFatal(error: Error) {
      throw error;
    },
  };
  const toolbox = await openToolbox(readConfig({ DATABASE_URL: databaseUrl }), environment);
  const people = Array.from({ length: PEOPLE }, (_unused, index) => ({
    chatId: String(500_000 + index),
    playerId: index === 0 ? smallPlayerOf(0) : `${smallPlayerOf(index)}${index < 90 ? '' : `-${index}`}`,
    username: `person ${index}`,
  }));
  await toolbox.store.verifications.put(people, { actor: ACTOR, atMs: Date.now() });
  await toolbox.close();
}

/** Takes every change of a reply, as Discord does. */
async function startSink(): Promise<{ url: string; close(): void }> {
  const server = createServer((request, response) => {
    request.resume();
    request.once('end', () => response.writeHead(200, { 'content-type': 'application/json' }).end('{}'));
  });
  server.listen(0, '127.0.0.1');
  await once(server, 'listening');
  return { url: `http://127.0.0.1:${(server.address() as AddressInfo).port}`, close: () => server.close() };
}

async function cpuPerCommand(service: RunningServer, name: string): Promise<number> {
  // A person's limit is over ten seconds, so that a second round too soon would measure refusals.
  await new Promise((resolve) => setTimeout(resolve, 10_000));
  const idleMs = await cpuDuring(
    service,
    () => new Promise((resolve) => setTimeout(resolve, SECONDS * 1_000)),
  );
  const load = commandLoad(name);
  const usedMs = await cpuDuring(service, async () => {
    const { failures } = await runSteadyLoad(load, service.address, {
      perSecond: PER_SECOND,
      seconds: SECONDS,
    });
    if (failures > 0) {
      throw new Error(`${failures} commands failed`);
    }
  });
  return ((usedMs - idleMs) * 1_000) / PEOPLE;
}

async function cpuDuring(service: RunningServer, work: () => Promise<unknown>): Promise<number> {
  const before = service.cpuMs();
  await work();
  return service.cpuMs() - before;
}

async function run(): Promise<void> {
  const { file, keys } = await prepareLedger('chat', SMALL);
  const databaseUrl = `sqlite:${file}`;
  await verifyPeople(databaseUrl);
  const sink = await startSink();
  const service = await startService({
    databaseUrl,
    env: { CHAT_APPLICATION_ID: APPLICATION_ID, CHAT_PUBLIC_KEY: PUBLIC_KEY, CHAT_API_URL: sink.url },
  });
  for (const name of ['commands', 'history', 'leaderboard', 'balance']) {
    await cpuPerCommand(service, name);
    console.log(`/${name}: ${Math.round(await cpuPerCommand(service, name))} us of processor for a command`);
  }
  const script = writeScript(createFolder(), 'mixed', createLoads(keys).mixed);
  const mixed = async () => (await runWrk(script, service.address, { seconds: SECONDS })).requestsPerSecond;
  await mixed();
  const rounds: { alone: number; beside: number }[] = [];
  for (let round = 0; round < ROUNDS; round += 1) {
    const alone = await mixed();
    const load = commandLoad('history');
    const [beside] = await Promise.all([
      mixed(),
      runSteadyLoad(load, service.address, { perSecond: PER_SECOND, seconds: SECONDS }),
    ]);
    rounds.push({ alone, beside });
    await new Promise((resolve) => setTimeout(resolve, 10_000));
  }
  const ratio = median(rounds.map(({ alone, beside }) => beside / alone));
  console.log(`mixed load alone: ${Math.round(median(rounds.map(({ alone }) => alone)))} requests/s`);
  console.log(
    `beside ${PER_SECOND} commands/s: ${ratio.toFixed(3)} of it, median of ${ROUNDS} rounds of ${SECONDS} s`,
  );
  await service.stop();
  sink.close();
}

await runAndUndo(run);
