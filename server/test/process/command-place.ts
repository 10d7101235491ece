import { existsSync, mkdirSync, readFileSync, writeFileSync } from 'node:fs';
import path from 'node:path';
import { pino } from 'pino';
import { openToolbox, systemClock, systemIds, type Toolbox } from '../../src/compose.ts';
import { readConfig } from '../../src/config.ts';
import { TESTER } from '../support/change.ts';
import { runInShared } from '../support/command-runner.ts';
import { createFolder } from '../support/folder.ts';
import { type CommandResult, type RunningCommand, startCommand } from '../support/process.ts';
import { countRows } from '../support/read-store.ts';

export const GUILD_ID = '814203957731622912';

export interface CommandPlace {
  cwd: string;
  /** The store's file. */
  store: string;
  /** Runs a command line, in the process that the command lines of the test file share. */
  run(...args: string[]): Promise<CommandResult>;
  /** The same with something on standard input. */
  feed(input: string, ...args: string[]): Promise<CommandResult>;
  /** Starts a command line in a process of its own, whose standard input the test writes to. */
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
export async function createCommandPlace(): Promise<CommandPlace> {
  const cwd = createFolder();
  const store = path.join(cwd, 'data', 'guildbook.db');
  const at = (name: string) => path.join(cwd, name);
  const feed = async (input: string, ...args: string[]) =>
    withoutProgress(await runInShared(args, { cwd, input }));
  prepared ??= prepareStore();
  const source = await prepared;
  mkdirSync(path.dirname(store));
  writeFileSync(store, source);
  return {
    cwd,
    store,
    run: (...args) => feed('', ...args),
    feed,
    start(...args) {
      const { child, ended } = startCommand(args, { cwd });
      return { child, ended: ended.then(withoutProgress) };
    },
    write: (name, content) => writeFileSync(at(name), content),
    read: (name) => readFileSync(at(name), 'utf8'),
    has: (name) => existsSync(at(name)),
    count: (table) => countRows(store, table),
    withToolbox: (work) => withToolbox(store, work),
  };
}

let prepared: Promise<Buffer> | undefined;

/** Makes one store. Each place gets a copy of it, which is much faster than making a store for each. */
async function prepareStore(): Promise<Buffer> {
  const file = path.join(createFolder(), 'guildbook.db');
  await withToolbox(file, ({ guilds }) => guilds.set({ guildId: GUILD_ID, name: 'Emberhold' }, TESTER));
  return readFileSync(file);
}

async function withToolbox<Result>(
  file: string,
  work: (toolbox: Toolbox) => Promise<Result>,
): Promise<Result> {
  const toolbox = await openToolbox(readConfig({ DATABASE_URL: `sqlite:${file}` }), {
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

/** Removes progress lines, which have their own test. A command prints them after five seconds, so on a busy machine any may. */
function withoutProgress(result: CommandResult): CommandResult {
  const progress = /^(?:(?:Im|Ex)porting \w+|Copying|Checking|Verifying)(?: \d+ %)?: [\d,]+ \w+, .*\n/gm;
  const stderr = result.stderr.replaceAll(progress, '');
  return { ...result, stderr };
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
