import { readFileSync } from 'node:fs';

/** The version of this program, as its package states it: the command line, OpenAPI and the metrics all report this one. */
export const VERSION: string = JSON.parse(
  readFileSync(new URL('../package.json', import.meta.url), 'utf8'),
).version;
