import { spawnSync } from 'node:child_process';
import { existsSync, globSync } from 'node:fs';
import { delimiter, join } from 'node:path';

// Tests and benchmarks run against real services and in a real browser. This makes sure that the programs are there
// before anything else begins: on Debian and its kin, as root, it installs what is missing; elsewhere it says what to
// install.

/** How long another process may hold the package lock, and how often to look. */
const LOCK_WAIT_MS = 300_000;
const LOCK_LOOK_MS = 2_000;
const IS_LOCKED = /Could not get lock|Unable to (?:acquire|lock)/;

export interface Requirement {
  program: string;
  /** Another one that does as well. */
  otherProgram?: string;
  purpose: string;
  debianPackage: string;
  /** A glob of folders to search in addition to those of PATH. */
  folders?: string;
  /** A setting that names the program's own place. */
  setting?: string;
}

export const PROGRAMS = {
  chromium: {
    program: 'chromium-headless-shell',
    otherProgram: 'chromium',
    purpose: 'the dashboard in a browser',
    debianPackage: 'chromium-headless-shell',
    setting: 'CHROMIUM_PATH',
  },
  postgres: {
    program: 'initdb',
    purpose: 'the store on PostgreSQL (15 or newer)',
    debianPackage: 'postgresql',
    folders: '/usr/lib/postgresql/*/bin',
  },
  redis: { program: 'redis-server', purpose: 'the shared rate limit', debianPackage: 'redis-server' },
  openssl: { program: 'openssl', purpose: 'a certificate for Redis', debianPackage: 'openssl' },
  haproxy: { program: 'haproxy', purpose: 'restarts behind a load balancer', debianPackage: 'haproxy' },
  wrk: { program: 'wrk', purpose: 'the load', debianPackage: 'wrk' },
} satisfies Record<string, Requirement>;

/** Installs what is missing where it can, and throws when something still is. `who` begins the message. */
export function requirePrograms(who: string, requirements: readonly Requirement[]): void {
  const missing = requirements.filter(isMissing);
  const packages = missing.map(({ debianPackage }) => debianPackage);
  if (missing.length > 0 && process.getuid?.() === 0 && existsSync('/usr/bin/apt-get')) {
    install(packages);
  }
  const stillMissing = missing.filter(isMissing);
  if (stillMissing.length > 0) {
    const lines = stillMissing.map(({ program, purpose, setting }) => {
      const hint = setting === undefined ? '' : ` (or set ${setting} to its place)`;
      return `  ${program} for ${purpose}${hint}`;
    });
    throw new Error(
      `${who} need programs that are not here:\n${lines.join('\n')}\n` +
        `On Debian and Ubuntu: sudo apt-get install --no-install-recommends ${packages.join(' ')}`,
    );
  }
}

function isMissing({ program, otherProgram = program, folders, setting }: Requirement): boolean {
  const own = setting === undefined ? undefined : process.env[setting];
  if (own !== undefined && own !== '') {
    return !existsSync(own);
  }
  const more = folders === undefined ? [] : globSync(folders);
  const searched = [...(process.env.PATH ?? '').split(delimiter), '/usr/bin', '/usr/sbin', ...more];
  return ![program, otherProgram].some((name) => searched.some((folder) => existsSync(join(folder, name))));
}

/** The services must not be started: who needs one starts it on a spare port, with data in a temporary folder. */
function install(packages: string[]): void {
  const steps = [['update'], ['install', '--yes', '--no-install-recommends', ...packages]];
  for (const step of steps) {
    console.log(`apt-get ${step.join(' ')}`);
    const { status, output } = runWhenUnlocked(step);
    if (status !== 0) {
      console.error(output);
    }
  }
}

/**
 * Runs apt-get, and waits while another process holds one of its locks, as automatic updates do after a start.
 * apt-get has an option to wait for the lock of dpkg, but none for that of the package lists.
 */
function runWhenUnlocked(step: readonly string[]): { status: number | null; output: string } {
  const env = { ...process.env, DEBIAN_FRONTEND: 'noninteractive', RUNLEVEL: '1', LC_ALL: 'C' };
  const deadlineMs = performance.now() + LOCK_WAIT_MS;
  for (let isWaiting = false; ; isWaiting = true) {
    const result = spawnSync('apt-get', ['--quiet', ...step], { env, encoding: 'utf8' });
    const output = `${result.stdout ?? ''}${result.stderr ?? ''}`;
    if (!IS_LOCKED.test(output) || performance.now() > deadlineMs) {
      return { status: result.status, output };
    }
    if (!isWaiting) {
      console.log('Another process holds the package lock; waiting for up to five minutes.');
    }
    Atomics.wait(new Int32Array(new SharedArrayBuffer(4)), 0, 0, LOCK_LOOK_MS);
  }
}
