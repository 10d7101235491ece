import { randomBytes } from 'node:crypto';
import { rmSync } from 'node:fs';
import path from 'node:path';
import { copyLedger, type Database, startDatabase, warmUpKeys } from '../jobs/postgres.ts';
import type { LedgerSize } from '../support/ledger-file.ts';
import { createLoads, type Loads } from '../support/loads.ts';
import { runToEnd } from '../support/processes.ts';
import { type RunningServer, startService } from '../support/servers.ts';

export const STORES = ['sqlite', 'postgres'] as const;
export type StoreName = (typeof STORES)[number];

/** A checkout whose service runs on a store of its own, until the end of the run's part that started it. */
export interface Tree {
  name: string;
  service: RunningServer;
  loads: Loads;
  /** Processor time of the database server so far; undefined where the store is part of the service. */
  databaseCpuMs: (() => number) | undefined;
}

export interface TreeOptions {
  name: string;
  store: StoreName;
  size: LedgerSize;
  /** For the files of the store. */
  home: string;
}

/** Fills the store by the checkout's own code, since schemas differ, and starts its service. */
export async function startTree(folder: string, { name, store, size, home }: TreeOptions): Promise<Tree> {
  const program = programOf(folder);
  const file = path.join(home, `${store}-${name.replaceAll(' ', '-')}.db`);
  const keys = await makeLedgerFile(folder, { file, size });
  const database = store === 'postgres' ? await moveToDatabase(file, program) : undefined;
  const service = await serveTree(program, { databaseUrl: database?.url ?? `sqlite:${file}`, keys });
  return { name, service, loads: createLoads(keys), databaseCpuMs: database?.cpuMs };
}

export function programOf(folder: string): string {
  return path.join(folder, 'server/bin/guildbook.js');
}

/** Makes a ledger by the checkout's own code, and returns the values of the keys that open it. */
export async function makeLedgerFile(
  folder: string,
  { file, size }: { file: string; size: LedgerSize },
): Promise<string[]> {
  const maker = path.join(folder, 'bench/support/make-ledger.ts');
  return JSON.parse(await runToEnd(process.execPath, [maker, file, JSON.stringify(size)]));
}

/** Starts the service of a checkout, and lets it look up the keys. */
export async function serveTree(
  program: string,
  {
    databaseUrl,
    keys,
    nodeArguments = [],
    env,
  }: { databaseUrl: string; keys: readonly string[]; nodeArguments?: string[]; env?: Record<string, string> },
): Promise<RunningServer> {
  const service = await startService({
    databaseUrl,
    program,
    nodeArguments,
    env: { SECRET_KEY: randomBytes(32).toString('hex'), ...env },
  });
  // The load of unknown keys makes the service throttle this address, and then it hardly looks up keys that are not in memory.
  await warmUpKeys(service.address, keys);
  return service;
}

/** Each tree has a server of its own, so that vacuum and checkpoints of one are never counted for another. */
export async function moveToDatabase(file: string, program: string, parent?: string): Promise<Database> {
  const database = await startDatabase([], { parent });
  await copyLedger(file, database.url, program);
  rmSync(file);
  return database;
}
