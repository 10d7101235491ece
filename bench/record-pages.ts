import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import path from 'node:path';
import { inject } from 'light-my-request';
import { pino } from 'pino';
import { composeService, type Service, systemClock, systemIds } from '../server/src/compose.ts';
import { readConfig } from '../server/src/config.ts';
import { createToken, hashOfToken } from '../server/src/domain/access/session-token.ts';
import type { Actor, Discharge, Guild, Transfer } from '../server/src/domain/model.ts';

/**
 * Fills one guild with discharges and transfers, each with its entry in the audit log, and asks the whole application for
 * the dashboard's pages of them, session and serialising included. Prints the median time of each as the clock shows it,
 * and the processor time of the process, which other work on the machine does not lengthen as much.
 */
const RECORDS = Number(process.argv[2] ?? 100_000);
const ROUNDS = 15;
const RECORDS_PER_COMMIT = 1_000;
const DAY_MS = 86_400_000;
const FIRST_DAY_MS = Date.parse('2020-01-01T00:00:00Z');
const GUILD_ID = 'bench';
const NAMES = ['Rowan Vale', 'Ash Brook', 'Ñandú Ólafsson', 'Mira Stone', 'Kestrel 🛡 Wood', 'Élodie Marsh'];
const TYPES = ['Honourable', 'Dishonourable', 'Medical', 'General'];
const ACTORS: Actor[] = [
  { kind: 'bot', id: 'bot' },
  { kind: 'user', id: '4711' },
];

/** The same records every time, in no order that an index has. */
function makeRecord(index: number) {
  const mixed = (index * 7919) % RECORDS;
  const dateMs = FIRST_DAY_MS + (mixed % 2_000) * DAY_MS;
  const shared = {
    id: `0198a7c4-52e1-7c3b-9d0e-${mixed.toString(16).padStart(12, '0')}`,
    guildId: GUILD_ID,
    playerId: String(10_000_000 + (mixed % 40_000)),
    name: `${NAMES[mixed % NAMES.length]} ${mixed % 9_000}`,
    from: 'First Company',
    signed: 'Captain Ash',
  };
  const discharge: Discharge = {
    ...shared,
    chatId: String(300_000_000_000_000_000n + BigInt(mixed)),
    reason: 'Left after a long time of service, with the thanks of the whole company. '.repeat(3),
    date: new Date(dateMs).toISOString().slice(0, 10),
    type: TYPES[mixed % TYPES.length] ?? '',
  };
  const transfer: Transfer = { ...shared, to: 'Second Company', date: new Date(dateMs).toISOString() };
  return { discharge, transfer };
}

async function fill({ store }: Service, guild: Guild): Promise<void> {
  for (let start = 0; start < RECORDS; start += RECORDS_PER_COMMIT) {
    const length = Math.min(RECORDS_PER_COMMIT, RECORDS - start);
    const made = Array.from({ length }, (_, index) => makeRecord(start + index));
    const actor = ACTORS[(start / RECORDS_PER_COMMIT) % ACTORS.length] ?? { kind: 'bot', id: 'bot' };
    const change = { actor, atMs: FIRST_DAY_MS + start * 1_000 };
    const discharges = made.map((one) => one.discharge);
    const transfers = made.map((one) => one.transfer);
    await store.discharges.put(guild, discharges, change);
    await store.transfers.put(guild, transfers, change);
  }
}

async function signIn({ store }: Service): Promise<string> {
  const token = createToken(systemIds);
  const nowMs = systemClock.nowMs();
  await store.sessions.insert({
    tokenHash: hashOfToken(token),
    user: { chatId: '4711', name: 'bench', avatar: undefined },
    guilds: [{ guildId: GUILD_ID, name: 'Bench', icon: undefined, standing: 'owner', chatRoleIds: [] }],
    sealedTokens: '',
    tokensExpireAtMs: nowMs,
    createdAtMs: nowMs,
    lastSeenAtMs: nowMs,
    expiresAtMs: nowMs + DAY_MS,
  });
  return `guildbook_session=${token}`;
}

const LAST_PAGE = Math.ceil(RECORDS / 20);
const PAGES: readonly (readonly [string, string])[] = [
  ['first page, newest first', 'discharges'],
  ['last page', `discharges?page=${LAST_PAGE}`],
  ['last page by name', `discharges?sortBy=name&sortOrder=asc&page=${LAST_PAGE}`],
  ['one kind, its last page', `discharges?type=Medical&page=${Math.ceil(LAST_PAGE / TYPES.length)}`],
  ['one kind by name', 'discharges?type=Medical&sortBy=name&page=500'],
  ['one month by name', 'discharges?since=2023-03-01&until=2023-03-31&sortBy=name'],
  ['search that finds all, last page', `discharges?query=0&page=${LAST_PAGE}`],
  ['search that finds some', 'discharges?query=vale'],
  ['search that finds one', 'discharges?query=0198a7c4-52e1-7c3b-9d0e-000000000007'],
  ['search that finds nothing', 'discharges?query=zzzzzz'],
  ['search, kind and days by name', 'discharges?query=stone&type=General&since=2021-01-01&sortBy=name'],
  ['transfers, first page', 'transfers'],
  ['transfers, last page by name', `transfers?sortBy=name&page=${LAST_PAGE}`],
  ['transfers, search that finds all, by name', `transfers?query=0&sortBy=name&page=${LAST_PAGE}`],
  ['transfers, search that finds nothing', 'transfers?query=zzzzzz'],
  ['audit log', 'audit'],
  ['audit log of one person, long ago', 'audit?actor=user:4711&until=2020-01-01'],
  ['audit log of one kind', 'audit?kind=transfer&limit=100'],
  ['audit log, one action that there is none of', 'audit?action=delete'],
  ['audit log of one person, kind and action', 'audit?actor=user:4711&kind=guild&action=update'],
  ['samples', 'samples'],
];

interface Times {
  clockMs: number;
  processorMs: number;
}

async function measure({ app }: Service, cookie: string, url: string): Promise<Times> {
  const times: Times[] = [];
  for (let round = 0; round < ROUNDS; round += 1) {
    const startMs = performance.now();
    const startUsage = process.cpuUsage();
    const reply = await inject((request, response) => app.server.emit('request', request, response), {
      url: `/dashboard/api/guilds/${GUILD_ID}/${url}`,
      headers: { cookie },
    });
    const { user, system } = process.cpuUsage(startUsage);
    times.push({ clockMs: performance.now() - startMs, processorMs: (user + system) / 1_000 });
    if (reply.statusCode !== 200) {
      throw new Error(`${url}: ${reply.payload}`);
    }
  }
  return {
    clockMs: median(times.map((time) => time.clockMs)),
    processorMs: median(times.map((time) => time.processorMs)),
  };
}

function median(values: number[]): number {
  return values.sort((a, b) => a - b)[Math.floor(values.length / 2)] ?? 0;
}

async function main(): Promise<void> {
  const folder = mkdtempSync(path.join(tmpdir(), 'guildbook-bench-'));
  const environment = {
    DATABASE_URL: `sqlite:${path.join(folder, 'guildbook.db')}`,
    CHAT_CLIENT_ID: 'bench',
    CHAT_CLIENT_SECRET: 'bench',
  };
  const service = await composeService(readConfig(environment), {
    clock: systemClock,
    ids: systemIds,
    logger: pino({ level: 'silent' }),
    onFatal(error) {
      throw error;
    },
  });
  try {
    const guild = await service.guilds.set(
      { guildId: GUILD_ID, name: 'Bench', plan: 'enterprise' },
      { kind: 'operator', id: 'bench' },
    );
    const startMs = performance.now();
    await fill(service, guild);
    const seconds = (performance.now() - startMs) / 1_000;
    console.log(`${RECORDS} discharges and ${RECORDS} transfers written in ${seconds.toFixed(1)} s`);
    const cookie = await signIn(service);
    console.log('| page | clock ms | processor ms |\n|---|---|---|');
    for (const [name, url] of PAGES) {
      const { clockMs, processorMs } = await measure(service, cookie, url);
      console.log(`| ${name} | ${clockMs.toFixed(1)} | ${processorMs.toFixed(1)} |`);
    }
  } finally {
    await service.close();
    rmSync(folder, { recursive: true, force: true });
  }
}

await main();
