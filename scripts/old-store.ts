import { readFileSync } from 'node:fs';
import path from 'node:path';
import { gunzipSync } from 'node:zlib';
import { ROOT } from './run.ts';

// A store that version 0.1.0 made, at the first commit that could serve: "guild set", "key create", three posts with
// idempotency keys (12.5, -0.0001 and 7, three items each), then SIGTERM. The key ends in 2036.

const FILE = path.join(ROOT, 'server/test/store/fixtures/first-0.1.0.db.gz');

export const OLD_KEY = 'gbk_skEIZM9eSYoxSLyBhEg4DVodzBPXCuhx8zjH9eQo1sU35D';

export function readOldStore(): Buffer {
  return gunzipSync(readFileSync(FILE));
}
