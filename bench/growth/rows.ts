import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { Readable } from 'node:stream';
import { pipeline } from 'node:stream/promises';
import { GUILD_ID } from '../support/ledger-file.ts';
import { stopAtEnd } from '../support/processes.ts';

// The transactions of the growing store: one guild, in the order of time, at the same number a day however far it grows.

const START_MS = Date.parse('2025-01-01T00:00:00Z');
/** Twenty million rows take 600 days. */
const ROW_EVERY_MS = 2_592;
/** Players come and go: this number of them is active at a time, for this number of rows. */
const ACTIVE_PLAYERS = 2_000;
export const ROWS_OF_ACTIVE = 200_000;
/** Every tenth row belongs to any player since the last measurement. */
const ROW_OF_ANY = 10;
const LINES_AT_ONCE = 1_000;

/** The number of players after this number of rows. */
export function playersAfter(rows: number): number {
  return Math.ceil(rows / ROWS_OF_ACTIVE) * ACTIVE_PLAYERS;
}

/** One of the players so far, evenly spread; without those of the first rows. */
export function anyPlayer(index: number, rows: number, firstRows = 0): string {
  const first = playersAfter(firstRows);
  return playerId(first + ((Math.imul(index + 1, 0x9e3779b1) >>> 0) % (playersAfter(rows) - first)));
}

export function lastTimeMs(rows: number): number {
  return START_MS + rows * ROW_EVERY_MS;
}

function playerId(player: number): string {
  return `grown-${player}`;
}

function playerOf(index: number, from: number): string {
  if (index % ROW_OF_ANY === 0) {
    return anyPlayer(index, index + 1, from);
  }
  return playerId(playersAfter(index + 1) - 1 - ((index * 7_919) % ACTIVE_PLAYERS));
}

/** Written without JSON.stringify: at the rates of an import it would take a noticeable share of the processors. */
function lineOf(index: number, from: number): string {
  const atMs = START_MS + index * ROW_EVERY_MS;
  const time = atMs.toString(16).padStart(12, '0');
  const place = index.toString(16).padStart(12, '0');
  const id = `${time.slice(0, 8)}-${time.slice(8)}-7000-8000-${place}`;
  const amount = (((index * 31) % 4_001) - 1_600) / 4 || 0.25;
  return (
    `{"guildId":"${GUILD_ID}","playerId":"${playerOf(index, from)}","transactionId":"${id}","amount":${amount},` +
    `"quantity":${1 + (index % 9)},"name":"Iron Ingot ${index % 300}","source":"source-${index % 10}",` +
    `"createdAt":"${new Date(atMs).toISOString()}"}\n`
  );
}

function* linesOf(from: number, to: number): Generator<string> {
  for (let start = from; start < to; start += LINES_AT_ONCE) {
    let lines = '';
    for (let index = start; index < Math.min(to, start + LINES_AT_ONCE); index += 1) {
      lines += lineOf(index, from);
    }
    yield lines;
  }
}

/**
 * Imports the rows of a range with the real command, and returns the rows a second. Players before the range get none: a
 * measurement has posted to them, with later times.
 */
export async function importRows(
  { program, databaseUrl }: { program: string; databaseUrl: string },
  { from, to }: { from: number; to: number },
): Promise<number> {
  const startMs = performance.now();
  const child = spawn(process.execPath, [program, 'import', 'transactions', '-', '--format', 'ndjson'], {
    env: { ...process.env, DATABASE_URL: databaseUrl, LOG_LEVEL: 'error' },
    stdio: ['pipe', 'inherit', 'inherit'],
  });
  const stop = stopAtEnd(child);
  const ended = once(child, 'exit');
  await pipeline(Readable.from(linesOf(from, to)), child.stdin);
  const [status] = await ended;
  await stop();
  if (status !== 0) {
    throw new Error(`the import ended with ${status}`);
  }
  return ((to - from) * 1_000) / (performance.now() - startMs);
}
