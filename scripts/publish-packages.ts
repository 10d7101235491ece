import { createHash } from 'node:crypto';
import { globSync, readFileSync } from 'node:fs';
import path from 'node:path';
import { parseArgs } from 'node:util';
import { ROOT, read, run, succeeds } from './run.ts';

// Publishes the npm packages in release/. A release that failed later can be repeated: a package that is published with the same
// content is left alone, and one with other content is an error.
//
//   npm run publish:packages                 by the release workflow, which npm trusts
//   npm run publish:packages -- --dry-run    prints what would be published

const { values } = parseArgs({ options: { 'dry-run': { type: 'boolean', default: false } } });
const files = globSync('release/guildbook-*.tgz', { cwd: ROOT }).sort();
if (files.length === 0) {
  throw new Error('There are no packages in release/: run "npm run release" first.');
}
for (const file of files) {
  publish(path.join(ROOT, file));
}

function publish(file: string): void {
  const { name, version } = JSON.parse(read('tar', ['-xzOf', file, 'package/package.json']));
  const spec = `${name}@${version}`;
  const published = publishedIntegrity(spec);
  if (published === undefined) {
    run('npm', [
      'publish',
      '--access',
      'public',
      ...(values['dry-run'] ? ['--dry-run'] : ['--provenance']),
      file,
    ]);
  } else if (published === integrityOf(file)) {
    console.log(`${spec} is published already, with the same content.`);
  } else {
    throw new Error(`${spec} is published already, with other content: give this release another version.`);
  }
}

/** Undefined for a package or a version that the registry does not know. */
function publishedIntegrity(spec: string): string | undefined {
  const query = ['view', spec, 'dist.integrity'];
  const integrity = succeeds('npm', query) ? read('npm', query).trim() : '';
  return integrity === '' ? undefined : integrity;
}

function integrityOf(file: string): string {
  return `sha512-${createHash('sha512').update(readFileSync(file)).digest('base64')}`;
}
