import { readFileSync } from 'node:fs';
import path from 'node:path';
import { ROOT } from '../run.ts';
import type { Step } from './steps.ts';

/** The files in which clients state their version, and the text there. */
const STATEMENTS: Record<string, (version: string) => string> = {
  'clients/python/pyproject.toml': (version) => `\nversion = "${version}"\n`,
  'clients/luau/Guildbook.luau': (version) => `\n-- Version ${version}. `,
};

/** The packages of one release have one version. */
export function checkVersions(): Step {
  return {
    name: 'versions',
    async run() {
      const { version } = JSON.parse(readFileSync(path.join(ROOT, 'package.json'), 'utf8'));
      const wrong = Object.entries(STATEMENTS).filter(
        ([file, statement]) => !readFileSync(path.join(ROOT, file), 'utf8').includes(statement(version)),
      );
      if (wrong.length > 0) {
        const files = wrong.map(([file]) => file).join(' and ');
        throw new Error(`${files} must state the version ${version} of package.json`);
      }
    },
  };
}
