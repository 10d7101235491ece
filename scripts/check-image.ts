import {
  chownSync,
  copyFileSync,
  existsSync,
  globSync,
  mkdtempSync,
  readFileSync,
  rmSync,
  statSync,
  writeFileSync,
} from 'node:fs';
import { tmpdir } from 'node:os';
import path from 'node:path';
import { debianArchive } from './debian.ts';
import { OLD_KEY, readOldStore } from './old-store.ts';
import { isInstalled, ROOT, read, run, succeeds } from './run.ts';

// npm run check:image
//
// Builds the image with buildah and follows the part of docs/operations.md about it: no container engine is needed, nor a
// registry of images. Unless --from-registry is given, the base image is made here: Debian by debootstrap, with this
// checkout's Node.js and the machine's npm. The page's commands run unchanged; scripts/docker-stand-in.sh runs the
// containers. They end with a post and a backup, which is restored in the place of another machine. There SECRET_KEY is lost and put
// back. Then a store of version 0.2.0 is served.
//
// It needs Linux, root and port 3000. When one of these or a program is missing, it says so and fails; with --installed-only
// it says so and succeeds.

/** Made once for each version of Node.js, and used again. */
const NODE_IMAGE = `localhost/guildbook-check/node:${process.version}`;
const IMAGE = 'localhost/guildbook-check/guildbook:latest';
const BYTES_MAX = 250_000_000;
const SERVICE = 'http://127.0.0.1:3000';
const PAGE = path.join(ROOT, 'docs/operations.md');
const STAND_IN = path.join(ROOT, 'scripts/docker-stand-in.sh');
const CERTIFICATES = '/etc/ssl/certs/ca-certificates.crt';
/** Files of a shell, a compiler, a package manager, the npm package of Node.js, or of the build: the image must have none. */
const UNWANTED = [
  '{usr/,}bin/{sh,bash,dash,apt,dpkg,gcc,cc,make,python3,perl}',
  'usr/local/bin/{npm,npx,yarn,corepack}',
  'opt/**/node_modules/{node,node-*,npm,typescript,vite,vitest}',
  'opt/guildbook/**/*.ts',
];
const BACKUP = 'guildbook-backup.db';
const BUILDAH = { env: { BUILDAH_ISOLATION: 'chroot' } };

/** Adds a webhook, whose secret SECRET_KEY encrypts, and makes the backup once more. Nothing is ever delivered to it. */
const ADD_WEBHOOK = `
HOOKS=$(docker compose exec -T guildbook guildbook key create --guild 814203957731622912 --name hooks \\
  --scopes guild:read,webhooks:manage --expires 9d --json | sed -n 's/.*"key": *"\\([^"]*\\)".*/\\1/p')
curl --silent --show-error --fail -H "x-api-key: $HOOKS" -H 'content-type: application/json' \\
  -d '{"url":"https://1.1.1.1/guildbook","kind":"standard","events":["transaction.posted"]}' ${SERVICE}/guild/webhooks
docker compose exec guildbook guildbook backup --force /data/backup.db
docker compose cp guildbook:/data/backup.db ./${BACKUP}`;

/** Starts the restored store with another SECRET_KEY: log and verify report the webhook. Then the former key is put back. */
const LOSE_SECRET = `
mv .env former.env
sh deploy/create-secrets.sh
if docker compose run --rm guildbook verify; then exit 1; fi
docker compose up --detach --wait
grep 'webhooks deliver nothing because SECRET_KEY does not read their secrets' container.log
docker compose stop
mv former.env .env
docker compose run --rm guildbook verify`;

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
  const startedMs = performance.now();
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
    await followPage(createMachine(root, readConfig()));
  } finally {
    run('buildah', ['rm', container]);
  }
  const seconds = Math.round((performance.now() - startedMs) / 1_000);
  console.log(`The image can be used, and the part of docs/operations.md about it works (${seconds} s).`);
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

/** A folder in the place of a machine, where commands are run. It has what a checkout has, and docker. */
interface Machine {
  folder: string;
  run(commands: string): void;
}

function createMachine(root: string, config: ImageConfig): () => Machine {
  const [, node, , health = ''] = config.Healthcheck?.Test ?? [];
  expect(node === 'node', 'the health check is not one of Node.js');
  const env = {
    IMAGE_ROOT: root,
    IMAGE_USER: config.User,
    IMAGE_ENV: config.Env.join(' '),
    IMAGE_ENTRYPOINT: config.Entrypoint.join(' '),
    IMAGE_COMMAND: config.Cmd.join(' '),
    IMAGE_HEALTH: health,
  };
  return () => {
    const folder = mkdtempSync(path.join(tmpdir(), 'guildbook-image-'));
    const copies = { 'deploy/create-secrets.sh': 'deploy/create-secrets.sh', [STAND_IN]: 'bin/docker' };
    for (const [from, to] of Object.entries(copies)) {
      run('install', ['-D', '--mode', '0755', from, path.join(folder, to)]);
    }
    const search = `${path.join(folder, 'bin')}:${process.env.PATH}`;
    return {
      folder,
      run: (commands) => run('sh', ['-euxc', commands], { cwd: folder, env: { ...env, PATH: search } }),
    };
  };
}

async function followPage(create: () => Machine): Promise<void> {
  const [first = '', restoring = ''] = readBlocks();
  const machines = [create(), create(), create()] as const;
  const [one, another, older] = machines;
  try {
    one.run(`${first}\n${ADD_WEBHOOK}\ndocker compose stop`);
    for (const file of ['.env', BACKUP]) {
      copyFileSync(path.join(one.folder, file), path.join(another.folder, file));
    }
    another.run(`${restoring}\ndocker compose stop`);
    another.run(LOSE_SECRET);
    // The folder of the volume is made with the first command.
    older.run('sh deploy/create-secrets.sh && docker build --tag none .');
    const store = path.join(older.folder, 'volume/guildbook.db');
    writeFileSync(store, readOldStore());
    const { uid, gid } = statSync(path.dirname(store));
    chownSync(store, uid, gid);
    older.run('docker compose up --detach --wait');
    const status = await post(OLD_KEY);
    expect(status === 200, `a post with a key of version 0.2.0 was answered with ${status}`);
    const pages = await fetch(`${SERVICE}/dashboard/`);
    expect(pages.status === 200, `the dashboard was answered with ${pages.status}`);
    older.run('docker compose exec guildbook guildbook verify && docker compose stop');
    expect(!existsSync(`${store}-wal`), 'the store was not closed');
  } finally {
    for (const { folder, run } of machines) {
      run('docker compose stop');
      rmSync(folder, { recursive: true });
    }
  }
}

/** The commands about the image. */
function readBlocks(): string[] {
  const blocks = readFileSync(PAGE, 'utf8').matchAll(/^```sh image\n([\s\S]*?)^```$/gm);
  return [...blocks].map(([, code = '']) => code);
}

async function post(key: string): Promise<number> {
  const reply = await fetch(`${SERVICE}/guild/ledger`, {
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
