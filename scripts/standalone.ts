import { cpSync, existsSync, mkdirSync, mkdtempSync, rmSync, symlinkSync } from 'node:fs';
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

/**
 * Makes an archive with everything that runs the service on one kind of machine, Node.js included: unpacked as
 * /opt/guildbook it needs neither npm nor a network. The packages are those of the lock file, laid out as
 * "npm install --prefix /opt/guildbook" would. The server has to be built already.
 */
export function makeStandalone({ cpu, file }: { cpu: 'x64' | 'arm64'; file: string }): void {
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
    symlinkSync(`../node-linux-${cpu}/bin/node`, path.join(packages, '.bin/node'));
    symlinkSync('../guildbook/bin/guildbook.js', path.join(packages, '.bin/guildbook'));
    const owner = ['--owner=0', '--group=0', '--numeric-owner', '--sort=name'];
    run('tar', [
      '-C',
      stage,
      ...owner,
      '--transform=s,^node_modules,guildbook/node_modules,S',
      '-czf',
      file,
      'node_modules',
    ]);
  } finally {
    rmSync(stage, { recursive: true });
  }
}
