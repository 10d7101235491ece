import { setTimeout } from 'node:timers/promises';
import { GUILD, type SignedInBrowser, startDashboardService } from '../server/test/http/dashboard-service.ts';
import { TESTER } from '../server/test/support/change.ts';

/**
 * How long the server takes for each answer that the guild's pages ask for, on one guild with a million transactions over
 * two years: two thousand players, one of them with a tenth of it all, twelve sources, and one rare one.
 */
const ROWS = Number(process.argv[2] ?? 1_000_000);
const REQUESTS = 20;
const PLAYERS = 2_000;
const BIG_PLAYER = '10000000';
const SOURCES = 'shop market arena quest salary tax bank casino farm mine trade gift'.split(' ');
const ROWS_PER_IMPORT = 1_000;
const TWO_YEARS_MS = 730 * 86_400_000;
const LIMIT_MS = 100;

const service = await startDashboardService();
const BASE = `/dashboard/api/guilds/${GUILD}`;

function playerOf(index: number): string {
  return index % 10 === 0 ? BIG_PLAYER : String(10_000_001 + ((index * 7919) % (PLAYERS - 1)));
}

function makeRow(index: number, startMs: number) {
  const amountUnits = (((index * 31) % 4_001) - 1_600) * 25 || 25;
  const quantity = 1 + (index % 9);
  return {
    guildId: GUILD,
    playerId: playerOf(index),
    transactionId: `019a7f4c-52e1-7c3b-9d0e-${index.toString(16).padStart(12, '0')}`,
    name: `Item ${index % 120}`,
    source: index % (ROWS / 4) === 7 ? 'rare' : (SOURCES[(index * 13) % SOURCES.length] ?? ''),
    amountUnits: index === 11 ? 77_000_000 : amountUnits,
    quantity,
    totalUnits: (index === 11 ? 77_000_000 : amountUnits) * quantity,
    createdAtMs: startMs + Math.floor((index * TWO_YEARS_MS) / ROWS),
  };
}

async function fill(): Promise<number> {
  const guild = await service.guilds.find(GUILD);
  const startMs = service.clock.nowMs() - TWO_YEARS_MS;
  const beganMs = performance.now();
  for (let done = 0; done < ROWS; done += ROWS_PER_IMPORT) {
    const rows = Array.from({ length: ROWS_PER_IMPORT }, (_, offset) => makeRow(done + offset, startMs));
    await service.store.ledger.import(guild, rows);
  }
  const people = Array.from({ length: PLAYERS }, (_, index) => ({
    chatId: String(900_000 + index),
    playerId: String(10_000_000 + index),
    username: `Player${index}`,
  }));
  await service.store.verifications.put(people, { actor: TESTER, atMs: 0 });
  return (performance.now() - beganMs) / 1_000;
}

const BIG = `${BASE}/players/${BIG_PLAYER}`;
const PAGES: Record<string, string> = {
  'overview, 30 days': `${BASE}/overview`,
  'overview, a year': `${BASE}/overview?since=2025-06-15`,
  'overview, ten years': `${BASE}/overview?since=2016-06-20`,
  'players, largest balances': `${BASE}/players`,
  'players, by name': `${BASE}/players?query=player1`,
  'players, by id': `${BASE}/players?query=100012`,
  'the large player': BIG,
  'its transactions': `${BIG}/transactions`,
  'its transactions, last page': `${BIG}/transactions?page=${Math.ceil(ROWS / 1_000)}&limit=100`,
  'its transactions, by total': `${BIG}/transactions?sortBy=total&limit=100`,
  'its transactions, by total, one source': `${BIG}/transactions?sortBy=total&from=shop`,
  'its transactions, one source': `${BIG}/transactions?from=shop`,
  'its transactions, by amount from 0 to 20': `${BIG}/transactions?minAmount=0&maxAmount=20&sortBy=quantity`,
  'all transactions': `${BASE}/transactions?limit=100`,
  'all transactions, deposits': `${BASE}/transactions?minAmount=0&limit=100`,
  'all transactions, an amount that is nowhere near': `${BASE}/transactions?minAmount=7700`,
  'all transactions, one source': `${BASE}/transactions?from=shop&limit=100`,
  'all transactions, a rare source': `${BASE}/transactions?from=rare`,
  'all transactions, a source with an amount that it never has': `${BASE}/transactions?from=shop&minAmount=7700`,
};

type Ask = () => Promise<{ status: number; text: string }>;

/** Filling the store keeps the process so busy that it turns requests away for a moment. */
async function waitUntilFree(ask: Ask): Promise<void> {
  for (let tries = 0; tries < 100 && (await ask()).status === 503; tries += 1) {
    await setTimeout(100);
  }
}

async function measure(ask: Ask): Promise<[number, number]> {
  const times: number[] = [];
  await waitUntilFree(ask);
  for (let count = 0; count < REQUESTS; count += 1) {
    const beganMs = performance.now();
    const { status, text } = await ask();
    times.push(performance.now() - beganMs);
    if (status !== 200) {
      throw new Error(`answered ${status}: ${text}`);
    }
  }
  times.sort((a, b) => a - b);
  return [times[Math.floor(REQUESTS / 2)] ?? 0, times.at(-1) ?? 0];
}

async function measureAll(olga: SignedInBrowser): Promise<[string, number, number][]> {
  const cookie = Array.from(olga.cookies, ([name, value]) => `${name}=${value}`).join('; ');
  const get = (url: string) => service.send({ method: 'GET', url, headers: { cookie } });
  const lines: [string, number, number][] = [];
  for (const [name, url] of Object.entries(PAGES)) {
    lines.push([name, ...(await measure(() => get(url)))]);
  }
  // The search for a rare amount stops early and continues from `next`; a small guild is searched in one request.
  const { next } = (await get(`${BASE}/transactions?minAmount=7700`)).body.data;
  if (next !== null) {
    const going = () => get(`${BASE}/transactions?minAmount=7700&before=${next}`);
    lines.push(['all transactions, the search for that amount going on', ...(await measure(going))]);
  }
  const correction = { name: 'Correction', quantity: 1, amount: 1 };
  const post = () => olga.change('POST', `${BIG}/transactions`, correction);
  lines.push(['a correction, over HTTP', ...(await measure(post))]);
  return lines;
}

async function measureExport(olga: SignedInBrowser): Promise<string> {
  const beganMs = performance.now();
  const { text } = await olga.go(`${BASE}/transactions.csv`);
  const seconds = (performance.now() - beganMs) / 1_000;
  return `${text.split('\r\n').length - 2} rows in ${seconds.toFixed(1)} s`;
}

try {
  console.log(`filled with ${ROWS} transactions in ${(await fill()).toFixed(0)} s`);
  const olga = await service.signIn('olga');
  const lines = await measureAll(olga);
  console.log('| answer | median ms | longest ms |\n|---|---|---|');
  for (const [name, median, longest] of lines) {
    console.log(`| ${name} | ${median.toFixed(1)} | ${longest.toFixed(1)} |`);
  }
  console.log(`the guild as CSV: ${await measureExport(olga)}`);
  const slow = lines.filter(([, median]) => median > LIMIT_MS);
  if (slow.length > 0) {
    console.error(`slower than ${LIMIT_MS} ms: ${slow.map(([name]) => name).join('; ')}`);
    process.exitCode = 1;
  }
} finally {
  await service.stop();
}
