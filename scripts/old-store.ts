import { readFileSync } from 'node:fs';
import path from 'node:path';
import { gunzipSync } from 'node:zlib';
import { ROOT } from './run.ts';

// A store that version 0.2.0 made: "guild set", "key create", three posts with idempotency keys (12.5, -0.0001 and 7, three
// items each), then SIGTERM. The key ends in 2036.

const FILE = path.join(ROOT, 'server/test/store/fixtures/first-0.2.0.db.gz');

export const OLD_KEY = 'gbk_RlbndExlLQyEGR3XpDLlmPlvkD7NbfaoKkKY5JeN3PobrH';

export function readOldStore(): Buffer {
  return gunzipSync(readFileSync(FILE));
}
