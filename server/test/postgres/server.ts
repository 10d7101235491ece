import { type ChildProcess, execFileSync, spawn } from 'node:child_process';
import { once } from 'node:events';
import {
  chmodSync,
  chownSync,
  closeSync,
  copyFileSync,
  existsSync,
  mkdtempSync,
  openSync,
  readdirSync,
  readFileSync,
  rmSync,
  writeFileSync,
  writeSync,
} from 'node:fs';
import path from 'node:path';
import { createInterface } from 'node:readline';
import { findMemoryParent } from '../support/memory-folder.ts';

const MISSING = `the tests need PostgreSQL 15 or newer and found no initdb and postgres.
On Debian: apt-get install postgresql
On macOS: brew install postgresql
Elsewhere: install them so that initdb and postgres are on the PATH.`;

const DEFAULT_PORT = 5432;
const NEW_SERVER = [
  '--username=guildbook',
  '--auth=trust',
  '--encoding=UTF8',
  '--no-sync',
  '--no-instructions',
  '--locale=C',
  '--locale-provider=icu',
  '--icu-locale=en-US',
];
/** A standby says that it is ready for reading. */
const READY = /database system is ready to accept (?:read-only )?connections/;

/** A real PostgreSQL server on a socket in a folder of its own. */
export interface PostgresServer {
  /** The address of one of its databases. */
  url(database: string): string;
  start(): Promise<void>;
  /** `immediate` is a crash: connections are cut and the next start recovers. */
  stop(mode: 'fast' | 'immediate'): Promise<void>;
  /** Stops all its processes where they are: connections stay open and nothing is answered. */
  pause(): void;
  /** Lets them run again. */
  resume(): void;
  /** Kills all its processes, also paused ones. */
  kill(): void;
  /** The process that started it, whose descendants are all its processes; undefined when it does not run. */
  pid(): number | undefined;
  /** Everything it logged so far. */
  log(): string;
  /** Stops it, when it runs, and removes its files. */
  remove(): Promise<void>;
}

export interface ServerOptions {
  /** Settings beside the harness's own, as in `fsync=off`. */
  settings?: readonly string[];
  /** The parent of its folder. The default is a file system in memory where the machine has one. */
  parent?: string;
  /** Listens on this port of the loopback address too. */
  port?: number;
  /** Follows this server instead of being one of its own. */
  standbyOf?: PostgresServer;
  /** Speaks TLS with this certificate, on its port. */
  tls?: Certificate;
}

interface Certificate {
  certificate: string;
  key: string;
}

/**
 * Makes a server and starts it. Its default collation is English, which sorts and compares unlike bytes, so that a
 * column that forgot its own shows; and commits do not wait for the disk unless somebody asks for it.
 */
export async function createPostgresServer({
  settings = [],
  // The tests make hundreds of databases.
  parent = findMemoryParent(),
  port,
  standbyOf,
  tls,
}: ServerOptions = {}): Promise<PostgresServer> {
  const programs = findPrograms();
  const account = findAccount();
  const folder = mkdtempSync(path.join(parent, 'guildbook-pg-'));
  if (account !== undefined) {
    chownSync(folder, account.uid, account.gid);
  }
  const data = path.join(folder, 'data');
  const logFile = path.join(folder, 'log');
  const [program, ...rest] =
    standbyOf === undefined
      ? ['initdb', ...NEW_SERVER]
      : [
          'pg_basebackup',
          '--write-recovery-conf',
          '--checkpoint=fast',
          '--no-sync',
          '-d',
          standbyOf.url('postgres'),
        ];
  execFileSync(path.join(programs, program), [...rest, '-D', data], {
    cwd: folder,
    stdio: 'pipe',
    ...account,
  });
  writeFileSync(logFile, '');
  const ownTls = tls && giveCertificate(tls, { folder, account });
  const flags = [
    ...(port === undefined ? ['listen_addresses='] : ['listen_addresses=127.0.0.1', `port=${port}`]),
    `unix_socket_directories=${folder}`,
    'max_connections=300',
    'synchronous_commit=off',
    'full_page_writes=off',
    'shared_buffers=128MB',
    'log_lock_waits=on',
    ...(ownTls ?? []),
    ...settings,
  ].flatMap((setting) => ['-c', setting]);
  let running: ChildProcess | undefined;

  async function start(): Promise<void> {
    // The shell ends the server when its input ends, which happens too when this process dies, however it dies. Then
    // nobody else is left to remove the files.
    const script = `"$0" "$@" 2>&1 & trap "" INT TERM
      read -r signal || { signal=INT; is_orphan=yes; }
      kill -"$signal" $!; wait $!; [ -z "$is_orphan" ] || rm -rf "$PWD"`;
    const child = spawn('sh', ['-c', script, path.join(programs, 'postgres'), '-D', data, ...flags], {
      cwd: folder,
      stdio: ['pipe', 'pipe', 'inherit'],
      ...account,
    });
    running = child;
    const ended = once(child, 'exit').then(() => {
      throw new Error(`the server ended before it was ready:\n${readFileSync(logFile, 'utf8')}`);
    });
    const ready = new Promise<void>((resolve) => {
      // Kept open, because the last lines may come when the folder is gone.
      const log = openSync(logFile, 'a');
      const lines = createInterface(child.stdout);
      lines.once('close', () => closeSync(log));
      lines.on('line', (line) => {
        writeSync(log, `${line}\n`);
        if (READY.test(line)) {
          resolve();
        }
      });
    });
    await Promise.race([ready, ended]);
    ended.catch(() => {});
  }

  async function stop(mode: 'fast' | 'immediate'): Promise<void> {
    const child = running;
    if (child === undefined || child.exitCode !== null || child.signalCode !== null) {
      return;
    }
    running = undefined;
    const ended = once(child, 'exit');
    child.stdin?.end(mode === 'fast' ? 'INT\n' : 'QUIT\n');
    await ended;
  }

  /** Sends a signal to the server and to each of its processes. */
  function signal(name: 'SIGSTOP' | 'SIGCONT' | 'SIGKILL'): void {
    const [first = ''] = readFileSync(path.join(data, 'postmaster.pid'), 'utf8').split('\n');
    const children = execFileSync('pgrep', ['-P', first], { encoding: 'utf8' }).trim().split('\n');
    for (const pid of [first, ...children]) {
      try {
        process.kill(Number(pid), name);
      } catch (error) {
        // A process may have ended since it was listed, or end because others run again.
        if (!(error instanceof Error && 'code' in error && error.code === 'ESRCH')) {
          throw error;
        }
      }
    }
  }

  await start();
  return {
    url: (database) =>
      `postgres://guildbook@localhost:${port ?? DEFAULT_PORT}/${database}?host=${encodeURIComponent(folder)}`,
    start,
    stop,
    pause: () => signal('SIGSTOP'),
    resume: () => signal('SIGCONT'),
    kill: () => signal('SIGKILL'),
    pid: () => running?.pid,
    log: () => readFileSync(logFile, 'utf8'),
    async remove() {
      await stop('immediate');
      rmSync(folder, { recursive: true, force: true });
    },
  };
}

/** The folder with the newest server programs: Debian keeps them off the PATH. */
export function findPrograms(): string {
  const debian = '/usr/lib/postgresql';
  const versions = existsSync(debian) ? readdirSync(debian).sort((a, b) => Number(b) - Number(a)) : [];
  const folders = [
    ...versions.map((version) => path.join(debian, version, 'bin')),
    ...(process.env.PATH ?? '').split(path.delimiter),
  ];
  const found = folders.find((folder) =>
    ['initdb', 'postgres'].every((program) => existsSync(path.join(folder, program))),
  );
  if (found === undefined) {
    throw new Error(MISSING);
  }
  return found;
}

/** PostgreSQL refuses to run as root: then somebody who may do little else runs it. */
/** Copies for the server's account, to which a key must belong, and the settings that name them. */
function giveCertificate(
  { certificate, key }: Certificate,
  { folder, account }: { folder: string; account: ReturnType<typeof findAccount> },
): string[] {
  const copies = { ssl_cert_file: certificate, ssl_key_file: key };
  const files = Object.entries(copies).map(([setting, file]) => {
    const copy = path.join(folder, path.basename(file));
    copyFileSync(file, copy);
    chmodSync(copy, 0o600);
    if (account !== undefined) {
      chownSync(copy, account.uid, account.gid);
    }
    return `${setting}=${copy}`;
  });
  return ['ssl=on', ...files];
}

export function findAccount(): { uid: number; gid: number } | undefined {
  if (process.getuid?.() !== 0) {
    return undefined;
  }
  const lines = readFileSync('/etc/passwd', 'utf8').split('\n');
  for (const name of ['postgres', 'nobody']) {
    const [, , uid, gid] = lines.find((line) => line.startsWith(`${name}:`))?.split(':') ?? [];
    if (uid !== undefined && gid !== undefined) {
      return { uid: Number(uid), gid: Number(gid) };
    }
  }
  throw new Error('the tests run as root and found no other account to run PostgreSQL');
}
