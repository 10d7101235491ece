import { cpSync, existsSync, mkdirSync, mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import path from 'node:path';
import { ROOT, run } from './run.ts';

const MANIFESTS = [
  'package.json',
  'package-lock.json',
  '.npmrc',
  'server/package.json',
  'client/package.json',
  'dashboard/package.json',
];

/** Whatever tar would take from this machine: the order of its folders, its users and groups, its umask. */
const FIXED_ENTRIES = [
  '--format=gnu',
  '--sort=name',
  '--owner=0',
  '--group=0',
  '--numeric-owner',
  '--mode=u+rw,go=u-w',
];

export interface StandaloneOptions {
  cpu: 'x64' | 'arm64';
  file: string;
  /** The time that every entry of the archive gets, in seconds since 1970. */
  dateSeconds: number;
}

/**
 * Makes an archive with everything that runs the service on one kind of machine, Node.js included: unpacked as
 * /opt/guildbook it needs neither npm nor a network. The packages are those of the lock file, laid out as
 * "npm install --prefix /opt/guildbook" would. The server has to be built already.
 */
export function makeStandalone({ cpu, file, dateSeconds }: StandaloneOptions): void {
  const stage = mkdtempSync(path.join(tmpdir(), 'guildbook-standalone-'));
  try {
    for (const manifest of MANIFESTS) {
      mkdirSync(path.dirname(path.join(stage, manifest)), { recursive: true });
      cpSync(path.join(ROOT, manifest), path.join(stage, manifest));
    }
    run('npm', [
      ...'ci --workspace guildbook --omit=dev --ignore-scripts --os=linux --libc=glibc'.split(' '),
      ...[`--cpu=${cpu}`, '--prefix', stage],
    ]);
    const packages = path.join(stage, 'node_modules');
    const own = path.join(packages, 'guildbook');
    for (const unneeded of ['guildbook', '@guildbook', '.package-lock.json', `node-linux-${cpu}/include`]) {
      rmSync(path.join(packages, unneeded), { recursive: true, force: true });
    }
    cpSync(path.join(ROOT, 'server/dist'), own, { recursive: true });
    if (existsSync(path.join(stage, 'server/node_modules'))) {
      cpSync(path.join(stage, 'server/node_modules'), path.join(own, 'node_modules'), { recursive: true });
    }
    rmSync(path.join(packages, '.bin'), { recursive: true });
    mkdirSync(path.join(packages, '.bin'));
    writeFileSync(path.join(packages, '.bin/guildbook'), commandOf(cpu), { mode: 0o755 });
    run('tar', [
      ...['-C', stage, '--transform=s,^node_modules,guildbook/node_modules,S'],
      ...FIXED_ENTRIES,
      `--mtime=@${dateSeconds}`,
      ...['--use-compress-program=gzip --no-name', '-cf', file, 'node_modules'],
    ]);
  } finally {
    rmSync(stage, { recursive: true });
  }
}

/** The machine need not have a Node.js, so the command is a shell script in the place where npm would link the program. */
function commandOf(cpu: string): string {
  return `#!/bin/sh
# Runs Guildbook on the Node.js of this archive.
folder=$(dirname "$(readlink -f "$0")")/..
exec "$folder/node-linux-${cpu}/bin/node" "$folder/guildbook/bin/guildbook.js" "$@"
`;
}
