import {
  chmodSync,
  existsSync,
  globSync,
  mkdirSync,
  mkdtempSync,
  readFileSync,
  rmSync,
  symlinkSync,
  writeFileSync,
} from 'node:fs';
import { tmpdir } from 'node:os';
import path from 'node:path';
import { debianArchive } from './debian.ts';
import { installToolchain, OLDEST } from './npm-toolchain.ts';
import { OLD_KEY, readOldStore } from './old-store.ts';
import { isInstalled, ROOT, run } from './run.ts';

// npm run check:docs
// npm run check:docs -- npm          only the way with the npm package; "archive" is the other one
//
// Follows docs/operations.md on a bare Debian, once with the archive and once with the npm package: the commands of the
// page, up to the reference, are run one after the other, unchanged, in a root folder made by debootstrap, with the files of
// "npm run release". They end with a post, and with a backup that is restored elsewhere. Then SECRET_KEY is lost and
// replaced, and a store of version 0.2.0 is served in place of the store. The npm package is installed with the oldest supported npm, on the oldest
// supported Node.js.
//
// A root folder has no systemd running; scripts/systemctl-stand-in.sh starts what the unit says, as another user and with the
// settings as a credential. "npm run check:deploy" has systemd judge the unit itself, and "npm run check:image" does the
// same for the image.
//
// It needs Linux, root, debootstrap, the files in release/ and the ports 3000 and 9464.

const PAGE = path.join(ROOT, 'docs/operations.md');
const STAND_IN = path.join(ROOT, 'scripts/systemctl-stand-in.sh');
const CERTIFICATES = '/etc/ssl/certs/ca-certificates.crt';
const RELEASE = path.join(ROOT, 'release');
const READY = 'curl --silent --show-error --fail --retry 60 --retry-delay 1 --retry-all-errors';

/**
 * Serves a store of version 0.2.0 in the place of the one that is there, and posts with its key. Then restores the copy that the
 * upgrade has kept.
 */
const UPGRADE = `
systemctl stop guildbook
install --mode 0600 --owner 61184 --group 61184 /root/old.db /var/lib/guildbook/guildbook.db
systemctl start guildbook
${READY} http://127.0.0.1:3000/readyz
curl --silent --show-error --fail -H 'x-api-key: ${OLD_KEY}' -H 'content-type: application/json' \\
  -d '{"playerId":"48213977","name":"Iron Ingot","quantity":3,"amount":12.5,"source":"shop"}' \\
  http://127.0.0.1:3000/guild/ledger
guildbook verify
systemctl stop guildbook
test "$(stat --format '%u %a' /var/lib/guildbook/guildbook.db.before-15-to-*)" = '61184 600'
guildbook restore --force /var/lib/guildbook/guildbook.db.before-15-to-*
guildbook migrate
guildbook verify`;

/**
 * Serves the store of the path with another SECRET_KEY, as after a restore without it. The log, the metrics and verify
 * report the webhook that cannot deliver. With SECRET_KEY_PREVIOUS everything can be read again, also after its removal.
 */
const LOST_SECRET = `
echo WEBHOOK_ALLOWED_NETWORKS=127.0.0.1 >> /etc/guildbook/guildbook.env
systemctl restart guildbook
${READY} http://127.0.0.1:3000/readyz
HOOKS=$(guildbook key create --guild "$GUILD" --name hooks --scopes guild:read,webhooks:manage --expires 9d --json \\
  | sed -n 's/.*"key": *"\\([^"]*\\)".*/\\1/p')
curl --silent --show-error --fail -H "x-api-key: $HOOKS" -H 'content-type: application/json' \\
  -d '{"url":"http://127.0.0.1:9/guildbook","kind":"standard","events":["transaction.posted"]}' \\
  http://127.0.0.1:3000/guild/webhooks
FORMER=$(sed -n 's/^SECRET_KEY=//p' /etc/guildbook/guildbook.env)
sed --in-place "s/^SECRET_KEY=.*/SECRET_KEY=$(openssl rand -hex 32)/" /etc/guildbook/guildbook.env
systemctl restart guildbook
${READY} http://127.0.0.1:3000/readyz
grep --quiet 'webhooks deliver nothing because SECRET_KEY does not read their secrets' /var/log/guildbook.log
curl --silent --show-error --fail http://127.0.0.1:9464/metrics | grep '^guildbook_unreadable_secrets{kind="webhook"} 1'
if guildbook verify; then exit 1; fi
echo "SECRET_KEY_PREVIOUS=$FORMER" >> /etc/guildbook/guildbook.env
systemctl restart guildbook
${READY} http://127.0.0.1:3000/readyz
sed --in-place '/^SECRET_KEY_PREVIOUS=/d' /etc/guildbook/guildbook.env
systemctl restart guildbook
${READY} http://127.0.0.1:3000/readyz
guildbook verify`;

/** Ways to install. Each has the files of the release that it needs, and its own first step in place of the archive's. */
const WAYS = { archive: `guildbook-*-linux-${process.arch}.tar.gz`, npm: 'guildbook-[0-9]*.tgz' } as const;
type Way = keyof typeof WAYS;

const missing = ['debootstrap', 'chroot', 'unshare'].filter((program) => !isInstalled(program));
const wanted = process.argv[2];
const ways: Way[] = wanted === 'archive' || wanted === 'npm' ? [wanted] : ['archive', 'npm'];
if (process.platform !== 'linux' || process.getuid?.() !== 0 || missing.length > 0) {
  const programs = missing.length > 0 ? `, and ${missing.join(', ')}` : '';
  console.error(`THE DOCUMENTATION WAS NOT FOLLOWED: this needs Linux and root${programs}.`);
  process.exitCode = 1;
} else if (ways.some((way) => findFile(way) === undefined)) {
  console.error(
    'THE DOCUMENTATION WAS NOT FOLLOWED: there are no files of a release, run "npm run release" first.',
  );
  process.exitCode = 1;
} else {
  for (const way of ways) {
    followPage(way);
  }
}

function findFile(way: Way): string | undefined {
  return globSync(WAYS[way], { cwd: RELEASE })[0];
}

function followPage(way: Way): void {
  const startedMs = performance.now();
  const root = mkdtempSync(path.join(tmpdir(), 'guildbook-docs-'));
  try {
    run('tar', ['-C', root, '-xf', debianArchive()]);
    // Other users than root have to get in.
    chmodSync(root, 0o755);
    const copies = { [STAND_IN]: 'usr/local/sbin/systemctl', '/etc/resolv.conf': 'etc/resolv.conf' };
    for (const [from, to] of Object.entries(copies)) {
      run('install', ['--mode', '0755', from, path.join(root, to)]);
    }
    for (const one of [findFile(way) ?? '', 'SHA256SUMS']) {
      run('install', [path.join(RELEASE, one), path.join(root, 'root', one)]);
    }
    if (way === 'npm') {
      addNpm(root);
    }
    writeFileSync(path.join(root, 'root/old.db'), readOldStore());
    writeFileSync(
      path.join(root, 'root/path.sh'),
      ['set -eux', ...readBlocks(way), LOST_SECRET, UPGRADE].join('\n'),
    );
    const script = `mount -t proc proc "$1/proc"; mount --bind /dev "$1/dev"; cd "$1"
      exec chroot "$1" env -i HOME=/root PATH=/usr/local/sbin:/usr/local/bin:/usr/sbin:/usr/bin:/sbin:/bin \\
        NODE_EXTRA_CA_CERTS=${CERTIFICATES} DEBIAN_FRONTEND=noninteractive bash -c 'cd /root && bash path.sh'`;
    // A process namespace of its own ends everything that is left over together with the shell.
    run('unshare', ['--mount', '--pid', '--fork', 'sh', '-c', script, 'sh', root]);
    const seconds = Math.round((performance.now() - startedMs) / 1_000);
    console.log(
      `The path of docs/operations.md works from top to bottom with the ${way === 'npm' ? 'npm package' : way} (${seconds} s), and so do a lost secret and the upgrade.`,
    );
  } finally {
    showLog(root);
    rmSync(root, { recursive: true, force: true });
  }
}

/** The page assumes these for the npm package: npm, and a Node.js that runs it. */
function addNpm(root: string): void {
  const toolchain = installToolchain(OLDEST);
  try {
    const modules = path.join(root, 'usr/local/lib/node_modules');
    mkdirSync(modules, { recursive: true });
    run('cp', ['--recursive', path.join(toolchain.folder, 'node_modules/npm'), modules]);
    run('install', [
      '--mode',
      '0755',
      path.join(toolchain.folder, 'bin/node'),
      path.join(root, 'usr/local/bin/node'),
    ]);
    run('install', ['--mode', '0644', CERTIFICATES, path.join(root, CERTIFICATES)]);
    symlinkSync('../lib/node_modules/npm/bin/npm-cli.js', path.join(root, 'usr/local/bin/npm'));
  } finally {
    toolchain.remove();
  }
}

/**
 * The commands of the path: blocks of "sh" without a further word, before the reference. With the npm package its own block
 * takes the place of the first one.
 */
function readBlocks(way: Way): string[] {
  const [text = ''] = readFileSync(PAGE, 'utf8').split('\n# Reference\n');
  const blocksOf = (kind: string) =>
    [...text.matchAll(/^```(sh\b.*)\n([\s\S]*?)^```$/gm)].flatMap(([, is, code = '']) =>
      is === kind ? [code] : [],
    );
  const [install = '', ...further] = blocksOf('sh');
  return way === 'npm' ? [...blocksOf('sh npm'), ...further] : [install, ...further];
}

function showLog(root: string): void {
  const log = path.join(root, 'var/log/guildbook.log');
  if (existsSync(log)) {
    console.log(readFileSync(log, 'utf8').split('\n').slice(-20).join('\n'));
  }
}
