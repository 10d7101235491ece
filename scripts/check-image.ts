import { type ChildProcess, spawn } from 'node:child_process';
import { once } from 'node:events';
import { chownSync, existsSync, globSync, mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import path from 'node:path';
import { setTimeout } from 'node:timers/promises';
import { debianArchive } from './debian.ts';
import { OLD_KEY, readOldStore } from './old-store.ts';
import { isInstalled, read, run, succeeds } from './run.ts';

// npm run check:image
//
// Builds the image with buildah and runs it: no container engine is needed, nor a registry of images. Unless --from-registry
// is given, the base image is made here: Debian by debootstrap, with this checkout's Node.js and the machine's npm. The
// container is the image's file system, mounted read-only, in namespaces of its own, as the image's user, with the image's
// environment and command.
//
// It needs Linux and root. Where that or a program is missing it says so and fails; with --installed-only it says so and
// succeeds.

/** Made once for each version of Node.js, and used again. */
const NODE_IMAGE = `localhost/guildbook-check/node:${process.version}`;
const IMAGE = 'localhost/guildbook-check/guildbook:latest';
const BYTES_MAX = 250_000_000;
const PORT = '38471';
const CERTIFICATES = '/etc/ssl/certs/ca-certificates.crt';
/** What stands for a shell, a compiler, a package manager or the npm package of Node.js. */
const UNWANTED = [
  '{usr/,}bin/{sh,bash,dash,apt,dpkg,gcc,cc,make,python3,perl}',
  'usr/local/bin/{npm,npx,yarn,corepack}',
  'opt/**/node_modules/{node,node-*,npm,typescript,vite,vitest}',
  'opt/guildbook/**/*.ts',
];
const BUILDAH = { env: { BUILDAH_ISOLATION: 'chroot' } };

interface ImageConfig {
  User: string;
  Env: string[];
  Entrypoint: string[];
  Cmd: string[];
  Healthcheck?: { Test: string[] };
  StopSignal?: string;
}

const missing = ['buildah', 'debootstrap', 'unshare', 'chroot'].filter((program) => !isInstalled(program));
if (process.platform !== 'linux' || process.getuid?.() !== 0 || missing.length > 0) {
  const programs = missing.length > 0 ? `, and ${missing.join(', ')}` : '';
  console.error(`THE IMAGE WAS NOT CHECKED: this needs Linux and root${programs}.`);
  process.exitCode = process.argv.includes('--installed-only') ? 0 : 1;
} else {
  await checkImage();
}

async function checkImage(): Promise<void> {
  const isRegistryUsed = process.argv.includes('--from-registry');
  if (!isRegistryUsed) {
    makeNodeImage();
  }
  const base = isRegistryUsed ? [] : ['--pull-never', '--build-arg', `NODE_IMAGE=${NODE_IMAGE}`];
  run('buildah', ['build', '--layers', '--format', 'docker', ...base, '--tag', IMAGE, '.'], BUILDAH);
  const container = read('buildah', ['from', '--pull-never', IMAGE]).trim();
  try {
    const root = read('buildah', ['mount', container]).trim();
    checkContents(root);
    await checkService(root, readConfig());
  } finally {
    run('buildah', ['rm', container]);
  }
  console.log('The image can be used.');
}

function makeNodeImage(): void {
  if (succeeds('buildah', ['inspect', '--type', 'image', NODE_IMAGE])) {
    return;
  }
  const container = read('buildah', ['from', 'scratch']).trim();
  const npm = path.join(read('npm', ['root', '--global']).trim(), 'npm');
  const copies: [string, string][] = [
    [process.execPath, '/usr/local/bin/node'],
    [npm, '/usr/local/lib/node_modules/npm'],
    // The machine's own authorities, where it has to use some.
    [CERTIFICATES, CERTIFICATES],
  ];
  run('buildah', ['add', '--quiet', container, debianArchive(), '/']);
  for (const [from, to] of copies) {
    run('buildah', ['copy', '--quiet', container, from, to]);
  }
  const folders = '/usr/local/sbin:/usr/local/bin:/usr/sbin:/usr/bin:/sbin:/bin';
  run('buildah', [
    'config',
    '--env',
    `PATH=${folders}`,
    '--env',
    `NODE_EXTRA_CA_CERTS=${CERTIFICATES}`,
    container,
  ]);
  const link = 'ln -sf ../lib/node_modules/npm/bin/npm-cli.js /usr/local/bin/npm';
  run('buildah', ['run', container, '--', 'sh', '-c', link], BUILDAH);
  run('buildah', ['commit', '--quiet', '--rm', container, NODE_IMAGE]);
}

function readConfig(): ImageConfig {
  const { config } = JSON.parse(read('buildah', ['inspect', '--type', 'image', IMAGE])).Docker;
  expect(config.User === '10001:10001', `the user is ${config.User}`);
  expect(config.Healthcheck !== undefined, 'there is no health check');
  expect(config.StopSignal === 'SIGTERM', `the stop signal is ${config.StopSignal}`);
  return config;
}

function checkContents(root: string): void {
  const [kilobytes = ''] = read('du', ['--summarize', '--apparent-size', '--block-size=1000', root]).split(
    '\t',
  );
  console.log(`The image has ${(Number(kilobytes) / 1_000).toFixed(0)} MB.`);
  expect(Number(kilobytes) * 1_000 < BYTES_MAX, 'the image is too large');
  const unwanted = UNWANTED.flatMap((pattern) => globSync(pattern, { cwd: root }));
  expect(unwanted.length === 0, `the image holds ${unwanted.join(', ')}`);
}

async function checkService(root: string, config: ImageConfig): Promise<void> {
  const data = mkdtempSync(path.join(tmpdir(), 'guildbook-image-'));
  const [user = 0, group = 0] = config.User.split(':').map(Number);
  const store = path.join(data, 'guildbook.db');
  writeFileSync(store, readOldStore());
  for (const one of [data, store]) {
    chownSync(one, user, group);
  }
  const place = { root, data, config };
  const service = startInContainer(place, [...config.Entrypoint, ...config.Cmd]);
  try {
    const health = () => startInContainer(place, config.Healthcheck?.Test.slice(1) ?? []);
    await untilHealthy(service, health);
    for (const [what, key] of Object.entries({ 'of version 0.1.0': OLD_KEY, 'of its own': readKey(place) })) {
      const status = await post(key);
      expect(status === 200, `a post with a key ${what} was answered with ${status}`);
    }
    restoreElsewhere(place);
    const pages = await fetch(`http://127.0.0.1:${PORT}/dashboard/`);
    expect(pages.status === 200, `the dashboard was answered with ${pages.status}`);
    service.kill('SIGTERM');
    const [code] = await once(service, 'exit');
    expect(code === 0, `after SIGTERM the service ended with status ${code}`);
    expect(!existsSync(path.join(data, 'guildbook.db-wal')), 'the store was not closed');
  } finally {
    service.kill('SIGKILL');
    rmSync(data, { recursive: true });
  }
}

interface Place {
  root: string;
  data: string;
  config: ImageConfig;
}

/** The file system is read-only but for the volume and /tmp. Every step takes the place of the one before, so that signals
 * sent to it reach the command. */
function containerLine({ root, data, config }: Place, command: readonly string[]): string[] {
  const script = `set -e
    mount --bind "$1" "$1" && mount -o remount,ro,bind "$1"
    mount --bind "$2" "$1/data" && mount -t tmpfs tmpfs "$1/tmp" && mount -t proc proc "$1/proc"
    root=$1; shift 2
    exec chroot --userspec=${config.User} "$root" "$@"`;
  const env = ['/usr/bin/env', '-i', '-C', '/data', ...config.Env, `PORT=${PORT}`];
  return ['--mount', '--', 'sh', '-c', script, 'sh', root, data, ...env, ...command];
}

function startInContainer(place: Place, command: readonly string[]): ChildProcess {
  return spawn('unshare', containerLine(place, command), { stdio: ['ignore', 'inherit', 'inherit'] });
}

async function untilHealthy(service: ChildProcess, check: () => ChildProcess): Promise<void> {
  for (let attempt = 0; attempt < 60; attempt += 1) {
    expect(service.exitCode === null, `the service ended with status ${service.exitCode}`);
    const [code] = await once(check(), 'exit');
    if (code === 0) {
      return;
    }
    // As often as a container engine would ask.
    await setTimeout(1_000);
  }
  throw new Error('the service did not become healthy');
}

function readKey(place: Place): string {
  const guildbook = (line: string) =>
    read('unshare', containerLine(place, ['guildbook', ...line.split(' ')]));
  guildbook('guild set 1 --name One --plan developer');
  return JSON.parse(guildbook('key create --guild 1 --name k --scopes guild:write --expires 9d --json')).key;
}

function restoreElsewhere(place: Place): void {
  const elsewhere = ['env', 'DATABASE_URL=sqlite:/data/elsewhere.db', 'guildbook'];
  run('unshare', containerLine(place, ['guildbook', 'backup', '/data/backup.db']));
  run('unshare', containerLine(place, [...elsewhere, 'restore', '/data/backup.db']));
  run('unshare', containerLine(place, [...elsewhere, 'verify']));
}

async function post(key: string): Promise<number> {
  const reply = await fetch(`http://127.0.0.1:${PORT}/guild/ledger`, {
    method: 'POST',
    headers: { 'x-api-key': key, 'content-type': 'application/json' },
    body: JSON.stringify({ playerId: '7', name: 'Nail', quantity: 1, amount: 1, source: 'shop' }),
  });
  return reply.status;
}

function expect(isTrue: boolean, complaint: string): void {
  if (!isTrue) {
    throw new Error(complaint);
  }
}
