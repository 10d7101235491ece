import { once } from 'node:events';
import { type ClientRequest, type IncomingMessage, request } from 'node:http';
import path from 'node:path';
import { createInterface } from 'node:readline';
import { afterAll, beforeAll, beforeEach, expect, test } from 'vitest';
import { depth, isDeep } from '../support/depth.ts';
import { createFolder } from '../support/folder.ts';
import { runCommand, startServer } from '../support/process.ts';
import { listenOnFreePort } from '../support/raw-http.ts';
import { BEARER, BOT_TOKEN, type BotService, type ImportLine, startBotService } from './bot-service.ts';
import { GUILD_ID } from './filled-service.ts';

/** Records that are written with one commit, and thus reported together. */
const BATCH = 500;
const LINES = depth({ normal: 5_000, deep: 50_000 });
const START_MS = Date.parse('2025-01-01T00:00:00Z');

let service: BotService;
let port: number;
/** Each test imports transactions of its own, for players of its own. */
let testNo = 0;

beforeAll(async () => {
  service = await startBotService();
  port = await listenOnFreePort(service.app);
});
afterAll(() => service.stop());
beforeEach(() => {
  testNo += 1;
});

const playersOf = (no: number) => `test-${no}-`;

function transactionLine(index: number): string {
  const line = {
    guildId: GUILD_ID,
    playerId: `${playersOf(testNo)}${index % 50}`,
    transactionId: `019a7f4c-52e1-7c3b-9d0e-${testNo.toString(16).padStart(4, '0')}${index.toString(16).padStart(8, '0')}`,
    amount: (index % 100) + 0.25,
    quantity: 1 + (index % 5),
    name: 'Iron Ingot',
    source: 'import',
    createdAt: new Date(START_MS + index).toISOString(),
  };
  return `${JSON.stringify(line)}\n`;
}

function linesFrom(start: number, end: number): string {
  return Array.from({ length: end - start }, (_, index) => transactionLine(start + index)).join('');
}

interface OpenImport {
  sending: ClientRequest;
  /** Resolves when the head of the answer is there, which is after the first batch. */
  answer: Promise<IncomingMessage>;
}

function openImport(port: number): OpenImport {
  const sending = request({
    port,
    host: '127.0.0.1',
    method: 'POST',
    path: '/bot/import/transactions',
    headers: { ...BEARER, 'content-type': 'application/x-ndjson' },
  });
  const answer = once(sending, 'response').then(([reply]) => reply as IncomingMessage);
  sending.on('error', () => {});
  return { sending, answer };
}

async function send(sending: ClientRequest, text: string): Promise<void> {
  if (!sending.write(text)) {
    await once(sending, 'drain');
  }
}

/** Reads result lines until there are as many as wanted, leaving the answer open. */
function readResults(reply: IncomingMessage, count: number): Promise<ImportLine[]> {
  // The connection may be reset after the wanted lines, so errors are ignored.
  reply.on('error', () => {}).setEncoding('utf8');
  return new Promise((resolve) => {
    let text = '';
    reply.on('data', (piece: string) => {
      text += piece;
      const lines = text.split('\n');
      if (lines.length > count) {
        resolve(lines.slice(0, count).map((line) => JSON.parse(line)));
      }
    });
  });
}

/** How many transactions of this test are stored. */
async function countTransactions(): Promise<number> {
  let count = 0;
  for await (const { playerId } of service.store.ledger.read(undefined)) {
    count += playerId.startsWith(playersOf(testNo)) ? 1 : 0;
  }
  return count;
}

test('results arrive while the request is still being sent, and what they report is on disk', async () => {
  const { sending, answer } = openImport(port);
  await send(sending, linesFrom(0, 2 * BATCH));
  const results = await readResults(await answer, BATCH);
  expect(results).toEqual(results.map((_, index) => ({ line: index + 1, outcome: 'created' })));
  expect(await countTransactions()).toBeGreaterThanOrEqual(BATCH);
  expect(sending.writableEnded).toBe(false);
  sending.destroy();
  await untilQuiet();
});

test('a client that goes away leaves what was reported, and sending everything again completes it', async () => {
  const { sending, answer } = openImport(port);
  await send(sending, linesFrom(0, 2 * BATCH + BATCH / 2));
  await readResults(await answer, BATCH);
  sending.destroy();
  await untilQuiet();
  const stored = await countTransactions();
  expect(stored).toBeGreaterThanOrEqual(BATCH);
  expect(stored % BATCH).toBe(0);
  expect(stored).toBeLessThan(3 * BATCH);

  const repeated = await service.importLines('/bot/import/transactions', linesFrom(0, 3 * BATCH));
  const outcomes = Map.groupBy(repeated, ({ outcome }) => outcome);
  expect(outcomes.get('unchanged')).toHaveLength(stored);
  expect(outcomes.get('created')).toHaveLength(3 * BATCH - stored);
  expect(await countTransactions()).toBe(3 * BATCH);
});

test('a client that goes away before anything was answered is no fault of ours', async () => {
  const taken = once(service.app.server, 'request');
  const { sending, answer } = openImport(port);
  const failed = answer.catch((error: Error) => error);
  await send(sending, linesFrom(0, 10));
  await taken;
  sending.destroy();
  expect(await failed).toBeInstanceOf(Error);
  await untilQuiet();
  expect(service.logLines.filter((line) => JSON.parse(line).level >= 50)).toEqual([]);
  const metrics = await service.metrics.text();
  expect(metrics).toContain('guildbook_http_requests_total');
  expect(metrics).not.toContain('status="500"');
});

/** Until the server has noticed that its clients are gone, and has written what it had. */
async function untilQuiet(): Promise<void> {
  const open = () =>
    new Promise<number>((resolve, reject) =>
      service.app.server.getConnections((error, count) => (error ? reject(error) : resolve(count))),
    );
  while ((await open()) > 0) {
    await new Promise((resolve) => setImmediate(resolve));
  }
  // Writes go in order, so this one comes after all that were under way.
  await service.addGuild('last');
}

const inFlatMemory = isDeep ? ' in flat memory' : '';
test(`${LINES} lines go through a running server${inFlatMemory}; repeating them changes nothing`, {
  timeout: 300_000,
}, async () => {
  const cwd = createFolder();
  const env = { DATABASE_URL: `sqlite:${path.join(cwd, 'guildbook.db')}`, BOT_TOKEN };
  await runCommand(['guild', 'set', GUILD_ID, '--name', 'Emberhold'], { cwd, env });
  const server = await startServer({ cwd, env });
  const memory = async () => {
    const text = await server.readMetrics();
    return Number(/^process_resident_memory_bytes (\S+)/m.exec(text)?.[1]) / 2 ** 20;
  };
  const tally: Record<string, number> = {};
  const run = async (count: number): Promise<void> => {
    // Until a busy machine lets the service take requests again.
    await server.ask('/commands');
    const { sending, answer } = openImport(Number(new URL(server.address).port));
    const reading = answer.then(async (reply) => {
      for await (const line of createInterface(reply)) {
        const { outcome }: ImportLine = JSON.parse(line);
        tally[outcome] = (tally[outcome] ?? 0) + 1;
      }
    });
    for (let start = 0; start < count; start += BATCH) {
      await send(sending, linesFrom(start, start + BATCH));
    }
    sending.end();
    await reading;
  };

  const few = LINES / 10;
  await run(few);
  const warm = await memory();
  await run(LINES);
  const after = await memory();
  await run(few);
  expect(tally).toEqual({ created: LINES, unchanged: few + few });
  if (isDeep) {
    // The whole of it is twelve megabytes of text; held as objects it would be many times that. Fewer lines would not
    // stand out from what a process takes and gives back anyway.
    expect(after - warm).toBeLessThan(60);
  }
  server.child.kill('SIGTERM');
  expect(await server.ended).toEqual({ status: 0, signal: null });
});
