import { chmodSync, existsSync, globSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import path from 'node:path';
import { debianArchive } from './debian.ts';
import { OLD_KEY, readOldStore } from './old-store.ts';
import { isInstalled, ROOT, run } from './run.ts';

// npm run check:docs
//
// Follows docs/operations.md on a bare Debian: its commands, up to the reference, are run one after the other, as they stand
// there, in a root folder made by debootstrap, with the files of "npm run release". Afterwards a store of version 0.1.0 is put
// in the place of the store and served. A root folder has no systemd running; scripts/systemctl-stand-in.sh starts what the unit
// says, as another user and with the settings as a credential. "npm run check:deploy" has systemd judge the unit itself.
//
// It needs Linux, root, debootstrap, the files in release/ and port 3000.

const PAGE = path.join(ROOT, 'docs/operations.md');
const STAND_IN = path.join(ROOT, 'scripts/systemctl-stand-in.sh');
const RELEASE = path.join(ROOT, 'release');
const READY = 'curl --silent --show-error --fail --retry 60 --retry-delay 1 --retry-all-errors';

/** Serves a store of version 0.1.0 in the place of the one that is there, and posts with its key. */
const UPGRADE = `
systemctl stop guildbook
install --mode 0600 --owner 61184 --group 61184 /root/old.db /var/lib/guildbook/guildbook.db
systemctl start guildbook
${READY} http://127.0.0.1:3000/readyz
curl --silent --show-error --fail -H 'x-api-key: ${OLD_KEY}' -H 'content-type: application/json' \\
  -d '{"playerId":"48213977","name":"Iron Ingot","quantity":3,"amount":12.5,"source":"shop"}' \\
  http://127.0.0.1:3000/guild/ledger
guildbook verify
systemctl stop guildbook`;

const missing = ['debootstrap', 'chroot', 'unshare'].filter((program) => !isInstalled(program));
const archive = globSync(`guildbook-*-linux-${process.arch}.tar.gz`, { cwd: RELEASE })[0];
if (process.platform !== 'linux' || process.getuid?.() !== 0 || missing.length > 0) {
  const programs = missing.length > 0 ? `, and ${missing.join(', ')}` : '';
  console.error(`THE DOCUMENTATION WAS NOT FOLLOWED: this needs Linux and root${programs}.`);
  process.exitCode = 1;
} else if (archive === undefined) {
  console.error('There are no files of a release: run "npm run release" first.');
  process.exitCode = 1;
} else {
  followPage(archive);
}

function followPage(file: string): void {
  const root = mkdtempSync(path.join(tmpdir(), 'guildbook-docs-'));
  try {
    run('tar', ['-C', root, '-xf', debianArchive()]);
    // Other users than root have to get in.
    chmodSync(root, 0o755);
    const copies = { [STAND_IN]: 'usr/local/sbin/systemctl', '/etc/resolv.conf': 'etc/resolv.conf' };
    for (const [from, to] of Object.entries(copies)) {
      run('install', ['--mode', '0755', from, path.join(root, to)]);
    }
    for (const one of [file, 'SHA256SUMS']) {
      run('install', [path.join(RELEASE, one), path.join(root, 'root', one)]);
    }
    writeFileSync(path.join(root, 'root/old.db'), readOldStore());
    writeFileSync(path.join(root, 'root/path.sh'), ['set -eux', ...readBlocks(), UPGRADE].join('\n'));
    const script = `mount -t proc proc "$1/proc"; mount --bind /dev "$1/dev"; cd "$1"
      exec chroot "$1" env -i HOME=/root PATH=/usr/local/sbin:/usr/local/bin:/usr/sbin:/usr/bin:/sbin:/bin \\
        DEBIAN_FRONTEND=noninteractive bash -c 'cd /root && bash path.sh'`;
    // A process namespace of its own ends everything that is left over together with the shell.
    run('unshare', ['--mount', '--pid', '--fork', 'sh', '-c', script, 'sh', root]);
    console.log('The path of docs/operations.md works from top to bottom, and so does the upgrade.');
  } finally {
    showLog(root);
    rmSync(root, { recursive: true, force: true });
  }
}

/** The commands of the path: blocks of "sh" without a further word, before the reference. */
function readBlocks(): string[] {
  const [text = ''] = readFileSync(PAGE, 'utf8').split('\n# Reference\n');
  return [...text.matchAll(/^```sh\n([\s\S]*?)^```$/gm)].map(([, code = '']) => code);
}

function showLog(root: string): void {
  const log = path.join(root, 'var/log/guildbook.log');
  if (existsSync(log)) {
    console.log(readFileSync(log, 'utf8').split('\n').slice(-20).join('\n'));
  }
}
