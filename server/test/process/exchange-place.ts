import { type ChildProcess, spawn } from 'node:child_process';
import { once } from 'node:events';
import { existsSync, readFileSync, writeFileSync } from 'node:fs';
import path from 'node:path';
import { DatabaseSync } from 'node:sqlite';
import { text } from 'node:stream/consumers';
import { fileURLToPath } from 'node:url';
import { pino } from 'pino';
import { openToolbox, systemClock, systemIds, type Toolbox } from '../../src/compose.ts';
import { readConfig } from '../../src/config.ts';
import { TESTER } from '../support/change.ts';
import { createFolder } from '../support/folder.ts';
import { type CommandResult, runCommand } from '../support/process.ts';

const PROGRAM = fileURLToPath(new URL('../../bin/guildbook.js', import.meta.url));

export const GUILD_ID = '814203957731622912';

export interface RunningCommand {
  child: ChildProcess;
  ended: Promise<CommandResult>;
}

export interface ExchangePlace {
  cwd: string;
  /** The store's file. */
  store: string;
  run(...args: string[]): Promise<CommandResult>;
  /** Starts a command line whose standard input the test writes to. */
  start(...args: string[]): RunningCommand;
  write(name: string, content: string | Buffer): void;
  read(name: string): string;
  has(name: string): boolean;
  /** How many rows a table has by now. */
  count(table: string): number;
  /** Works on the store directly, while no command does. */
  withToolbox<Result>(work: (toolbox: Toolbox) => Promise<Result>): Promise<Result>;
}

/** A folder with a store that has one guild, where command lines can be run. */
export async function createExchangePlace(): Promise<ExchangePlace> {
  const cwd = createFolder();
  const store = path.join(cwd, 'data', 'guildbook.db');
  const at = (name: string) => path.join(cwd, name);

  async function withToolbox<Result>(work: (toolbox: Toolbox) => Promise<Result>): Promise<Result> {
    const toolbox = await openToolbox(readConfig({ DATABASE_URL: `sqlite:${store}` }), {
      clock: systemClock,
      ids: systemIds,
      logger: pino({ level: 'silent' }),
      onFatal(error) {
        throw error;
      },
    });
    try {
      return await work(toolbox);
    } finally {
      await toolbox.close();
    }
  }

  await withToolbox(({ guilds }) => guilds.set({ guildId: GUILD_ID, name: 'Emberhold' }, TESTER));
  return {
    cwd,
    store,
    run: (...args) => runCommand(args, { cwd }),
    start: (...args) => startCommand(args, cwd),
    write: (name, content) => writeFileSync(at(name), content),
    read: (name) => readFileSync(at(name), 'utf8'),
    has: (name) => existsSync(at(name)),
    count: (table) => countRows(store, table),
    withToolbox,
  };
}

function countRows(file: string, table: string): number {
  const db = new DatabaseSync(file, { readOnly: true });
  const row = db.prepare(`SELECT count(*) AS count FROM ${table}`).get();
  db.close();
  return Number(row?.count);
}

function startCommand(args: readonly string[], cwd: string): RunningCommand {
  const child = spawn(process.execPath, [PROGRAM, ...args], { cwd, env: { PATH: process.env.PATH ?? '' } });
  // A command that ends early closes its input under the test's hands.
  child.stdin.on('error', () => {});
  // What a test no longer wants to read counts as read.
  const output = text(child.stdout).catch(() => '');
  const ended = Promise.all([once(child, 'exit'), output, text(child.stderr)]).then(
    ([[status], stdout, stderr]) => ({ status: Number(status ?? -1), stdout, stderr }),
  );
  return { child, ended };
}

const LOOK_AGAIN_MS = 5;

/** Looks again and again until it is so; seldom enough to leave the processor to those it waits for. */
export async function untilTrue(isTrue: () => boolean): Promise<void> {
  while (!isTrue()) {
    await new Promise((resolve) => setTimeout(resolve, LOOK_AGAIN_MS));
  }
}

const START_MS = Date.parse('2025-01-01T00:00:00Z');

/** A transaction of a long history, as an object of an exchange file. */
export function pastTransaction(index: number): Record<string, unknown> {
  return {
    guildId: GUILD_ID,
    playerId: `p${index % 20}`,
    transactionId: `019a7f4c-52e1-7c3b-9d0e-${index.toString(16).padStart(12, '0')}`,
    amount: (index % 100) + 0.25,
    quantity: 1 + (index % 5),
    name: 'Iron Ingot',
    source: 'import',
    createdAt: new Date(START_MS + index).toISOString(),
  };
}

export function toNdjson(records: readonly unknown[]): string {
  return records.map((record) => `${JSON.stringify(record)}\n`).join('');
}

export function history(count: number): string {
  return toNdjson(Array.from({ length: count }, (_, index) => pastTransaction(index)));
}
