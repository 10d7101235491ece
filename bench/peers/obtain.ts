import { openSync, writeFileSync } from 'node:fs';
import path from 'node:path';
import { runToEnd } from '../support/processes.ts';
import { NotObtainedError } from './peer.ts';

const GO_VERSION = '1.25';

/** A log file for the output of a peer, which is removed with the folder. */
export function openLog(folder: string): number {
  return openSync(path.join(folder, 'output.log'), 'a');
}

export interface GoProgram {
  module: string;
  version: string;
  /** The main package within the module; without it the module's root. */
  folder?: string;
  /** Modules that the module replaces by a folder of its own repository, which only works inside of it. */
  sameRepository?: readonly string[];
}

/**
 * Builds a program in a module of our own that requires the peer at an exact version. The versions of its dependencies are those
 * that the peer's module names, and the public checksum database checks all of them.
 */
export async function buildGoProgram(folder: string, wanted: GoProgram): Promise<string> {
  const { module, version, sameRepository = [] } = wanted;
  const target = wanted.folder === undefined ? module : `${module}/${wanted.folder}`;
  const replaced = sameRepository.map((name) => `replace ${name} => ${name} ${version}`);
  const lines = ['module bench', `go ${GO_VERSION}`, `require ${module} ${version}`, ...replaced];
  writeFileSync(path.join(folder, 'go.mod'), `${lines.join('\n')}\n`);
  const program = path.join(folder, 'program');
  // The settings of the machine's own Go projects stay out of it, and no other compiler is downloaded.
  const env = { ...process.env, GOFLAGS: '-mod=mod', GOWORK: 'off', GOTOOLCHAIN: 'local' };
  try {
    await runToEnd('go', ['build', '-o', program, target], { cwd: folder, env });
  } catch (cause) {
    throw new NotObtainedError(`${target}@${version}: ${reasonOf(cause)}`, { cause });
  }
  return program;
}

/** One line for the results, without the address of the registry, which depends on the machine. */
function reasonOf(cause: unknown): string {
  const { code, message } = cause as NodeJS.ErrnoException;
  if (code === 'ENOENT') {
    return 'Go is not installed';
  }
  const [, status] = /: (\d{3} [A-Z][A-Za-z ]+)$/m.exec(message) ?? [];
  const [, needed] = /requires (go >= [\d.]+)/.exec(message) ?? [];
  if (status !== undefined) {
    return `the module registry answered ${status}`;
  }
  return needed === undefined ? 'the build failed' : `it needs ${needed}`;
}
