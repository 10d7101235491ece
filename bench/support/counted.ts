import { readFileSync } from 'node:fs';
import path from 'node:path';
import { fileURLToPath } from 'node:url';
import type { CountedTime } from './count-requests.ts';

const COUNT_REQUESTS = fileURLToPath(new URL('./count-requests.ts', import.meta.url));

/** What makes a service count its requests in a file. */
export interface Counting {
  countFile: string;
  nodeArguments: string[];
  env: Record<string, string>;
}

/** The name is that of the file in the folder. */
export function countIn(folder: string, name: string, modules: readonly string[] = []): Counting {
  const countFile = path.join(folder, name);
  return {
    countFile,
    nodeArguments: [COUNT_REQUESTS, ...modules].flatMap((module) => ['--import', module]),
    env: { COUNT_FILE: countFile },
  };
}

export function readCounts(countFile: string): CountedTime[] {
  return readFileSync(countFile, 'utf8')
    .trim()
    .split('\n')
    .map((line) => JSON.parse(line) as CountedTime);
}
