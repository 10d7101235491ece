import { generateKeyPairSync, sign } from 'node:crypto';
import { once } from 'node:events';
import { createServer } from 'node:http';
import type { AddressInfo } from 'node:net';
import { setTimeout as wait } from 'node:timers/promises';
import { pino } from 'pino';
import { openToolbox, systemClock, systemIds } from '../server/src/compose.ts';
import { readConfig } from '../server/src/config.ts';
import { describeBeside, measureBeside } from './support/beside.ts';
import { SMALL } from './support/ledger-file.ts';
import { createLoads } from './support/loads.ts';
import { median } from './support/measure.ts';
import { createPacedLoad } from './support/paced-load.ts';
import { prepareLedger } from './support/prepare.ts';
import { createFolder } from './support/processes.ts';
import { type RunningServer, startBareServer, startService } from './support/servers.ts';
import { runAndUndo } from './support/undo.ts';
import { headersOf, type Load, runWrk, writeScript } from './support/wrk.ts';

/**
 * The processor time of a signed command of the chat, and the mixed load of the interface beside 100 commands a second against the
 * mixed load alone, in pairs of short slices. On SQLite, with a ledger of 10,000 transactions and guilds of the chat whose members have
 * six each. Arguments: rounds of each command, pairs of slices, commands. CPU_PROFILE=<folder> writes profiles of the service there.
 */
const ROUNDS = Number(process.argv[2] ?? 5);
const PAIRS = Number(process.argv[3] ?? 40);
/** Commands a second beside the mixed load. */
const PER_SECOND = 100;
/** More than are sent in a slice, so that no person sends two. */
const COMMANDS_BESIDE = 600;
/** For the cost of a command. A guild may send 100 a second, and a person five in ten seconds. */
const COST_CONNECTIONS = 16;
const COST_SECONDS = 2;
const GUILDS = 60;
const PEOPLE = 8_000;
/** Of each person: one more than a page of the history shows. */
const TRANSACTIONS = 6;
/** The colour of refusals. */
const REFUSED_COLOUR = String(0xf08c00);
const PEOPLE_AT_ONCE = 1_000;
const COMMANDS = (process.argv[4] ?? 'commands,history,leaderboard,balance').split(',');
const IDLE_LOOK_MS = 1_000;
const IDLE_LOOKS_MAX = 120;
const IDLE_SHARE_MAX = 0.2;
const APPLICATION_ID = '1190000000000000001';
const { publicKey, privateKey } = generateKeyPairSync('ed25519');
const PUBLIC_PEM = String(publicKey.export({ format: 'pem', type: 'spki' }));
const PUBLIC_KEY = Buffer.from(publicKey.export({ format: 'jwk' }).x ?? '', 'base64url').toString('hex');
const ACTOR = { kind: 'operator', id: 'bench' } as const;
let interactions = 0;

const guildOf = (index: number) => String(700_000 + (index % GUILDS));
const chatOf = (index: number) => String(500_000 + index);
const playerOf = (index: number) => `player of the chat ${index}`;

/** Commands of different people, signed now: a signature is valid for five minutes. The next load continues with the next people. */
function commandLoad(name: string, count = PEOPLE): Load {
  const requests = Array.from({ length: count }, () => {
    const index = interactions % PEOPLE;
    interactions += 1;
    const body = JSON.stringify({
      id: String(1_190_000_000_000_000_000n + BigInt(interactions)),
      application_id: APPLICATION_ID,
      type: 2,
      token: 't'.repeat(180),
      guild_id: guildOf(index),
      locale: 'en-US',
      member: {
        user: { id: chatOf(index), username: 'x' },
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
  return { count, request: (index) => requests[index] ?? first };
}

/** Guilds with people who are verified and have transactions. */
async function addPeople(databaseUrl: string): Promise<void> {
  const environment = {
    clock: systemClock,
    ids: systemIds,
    logger: pino({ level: 'error' }),
    onFatal(error: Error) {
      throw error;
    },
  };
  const { store, close } = await openToolbox(readConfig({ DATABASE_URL: databaseUrl }), environment);
  const change = { actor: ACTOR, atMs: Date.now() };
  const membersMax = Math.ceil(PEOPLE / GUILDS);
  for (let index = 0; index < GUILDS; index += 1) {
    const guildId = guildOf(index);
    const guild = await store.guilds.set(
      { guildId, name: guildId, plan: 'none', defaultPlan: 'none' },
      change,
    );
    const posts = Array.from({ length: membersMax * TRANSACTIONS }, (_unused, number) =>
      store.ledger.append({
        transactionId: systemIds.uuid(),
        guild,
        playerId: playerOf(index + GUILDS * (number % membersMax)),
        name: 'Iron Ingot',
        source: 'bench',
        amountUnits: 10_000 + number,
        quantity: 1,
        totalUnits: 10_000 + number,
        createdAtMs: systemClock.nowMs(),
        keyNo: undefined,
        idempotency: undefined,
      }),
    );
    await Promise.all(posts);
  }
  const people = Array.from({ length: PEOPLE }, (_unused, index) => ({
    chatId: chatOf(index),
    playerId: playerOf(index),
    username: `person ${index}`,
  }));
  for (let first = 0; first < PEOPLE; first += PEOPLE_AT_ONCE) {
    await store.verifications.put(people.slice(first, first + PEOPLE_AT_ONCE), change);
  }
  await close();
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

/** A refusal would be cheaper than the command that is measured. */
async function assertAnswered({ address }: RunningServer, name: string): Promise<void> {
  const command = commandLoad(name, 1).request(0);
  const { path, body = '' } = command;
  const answer = await fetch(`${address}${path}`, { method: 'POST', body, headers: headersOf(command) });
  const text = await answer.text();
  if (!answer.ok || text.includes(REFUSED_COLOUR)) {
    throw new Error(`/${name} was refused: ${text}`);
  }
}

/** Processor time of a command in microseconds: of the service, and of a bare server that only checks the signature and answers. */
async function costOf(service: RunningServer, name: string): Promise<{ service: number; bare: number }> {
  await assertAnswered(service, name);
  const load = commandLoad(name);
  const script = writeScript(createFolder(), name, load);
  const bare = await startBareServer(load, service.address, PUBLIC_PEM);
  const rounds: { service: number; bare: number }[] = [];
  for (let round = 0; round <= ROUNDS; round += 1) {
    rounds.push({ service: await cpuPerCommand(service, script), bare: await cpuPerCommand(bare, script) });
  }
  await bare.stop();
  // The first round warms both up.
  const measured = rounds.slice(1);
  return {
    service: median(measured.map((round) => round.service)),
    bare: median(measured.map((round) => round.bare)),
  };
}

async function cpuPerCommand(server: RunningServer, script: string): Promise<number> {
  const before = server.cpuMs();
  const { requests, failed, failures } = await runWrk(script, server.address, {
    seconds: COST_SECONDS,
    connections: COST_CONNECTIONS,
  });
  if (failures > 0) {
    throw new Error(`${failures} commands failed: ${failed}`);
  }
  return ((server.cpuMs() - before) * 1_000) / requests;
}

/** After its start, the service seals the transactions of all guilds. */
async function untilIdle(server: RunningServer): Promise<void> {
  for (let look = 0; look < IDLE_LOOKS_MAX; look += 1) {
    const before = server.cpuMs();
    await wait(IDLE_LOOK_MS);
    if (server.cpuMs() - before < IDLE_LOOK_MS * IDLE_SHARE_MAX) {
      return;
    }
  }
  throw new Error('the service does not become idle');
}

async function run(): Promise<void> {
  const { file, keys } = await prepareLedger('chat', SMALL);
  const databaseUrl = `sqlite:${file}`;
  await addPeople(databaseUrl);
  const sink = await startSink();
  const profiles = process.env.CPU_PROFILE;
  const service = await startService({
    databaseUrl,
    nodeArguments: profiles === undefined ? [] : ['--cpu-prof', `--cpu-prof-dir=${profiles}`],
    env: { CHAT_APPLICATION_ID: APPLICATION_ID, CHAT_PUBLIC_KEY: PUBLIC_KEY, CHAT_API_URL: sink.url },
  });
  await untilIdle(service);
  for (const name of COMMANDS) {
    const { service: ours, bare } = await costOf(service, name);
    console.log(
      `/${name}: ${Math.round(ours)} us of processor for a command; ${Math.round(bare)} us in a bare server that checks its signature`,
    );
  }
  if (PAIRS > 0) {
    const script = writeScript(createFolder(), 'mixed', createLoads(keys).mixed);
    const { address } = service;
    const send = createPacedLoad({ address, perSecond: PER_SECOND, connections: COST_CONNECTIONS });
    const rates: number[] = [];
    const result = await measureBeside({
      pairs: PAIRS,
      rate: async (seconds) => (await runWrk(script, service.address, { seconds })).requestsPerSecond,
      sendOther: async (seconds) => rates.push(await send(commandLoad('history', COMMANDS_BESIDE), seconds)),
    });
    console.log(describeBeside(result, `${Math.round(median(rates))} commands/s`));
  }
  await service.stop();
  sink.close();
}

await runAndUndo(run);
