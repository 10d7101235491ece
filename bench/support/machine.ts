import { availableParallelism, cpus, release, totalmem, type } from 'node:os';
import { CONNECTIONS } from './wrk.ts';

/** The machine and programs of a run, in the order of the report. */
export function describeMachine(facts: ReadonlyMap<string, string>): Record<string, string> {
  return {
    date: new Date().toISOString().slice(0, 10),
    processor: cpus()[0]?.model.trim() ?? 'unknown',
    cores: String(availableParallelism()),
    memory: `${Math.round(totalmem() / 2 ** 30)} GiB`,
    system: `${type()} ${release()}`,
    'Node.js': process.versions.node,
    SQLite: process.versions.sqlite ?? 'unknown',
    ...Object.fromEntries(facts),
    load: `wrk, one thread, ${CONNECTIONS} connections`,
  };
}
