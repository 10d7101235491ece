import type { IncomingMessage } from 'node:http';
import { setFlagsFromString } from 'node:v8';
import { runInNewContext } from 'node:vm';
import { createKeyLog } from '../server/src/domain/access/key-log.ts';
import { createKeyRequests } from '../server/src/domain/access/key-requests.ts';
import { createKeyUsage } from '../server/src/domain/access/key-usage.ts';
import { DomainError, type ErrorCode } from '../server/src/domain/errors.ts';
import type { Principal } from '../server/src/domain/model.ts';
import { createNoteRequest } from '../server/src/http/access/noted-request.ts';
import type { HttpRequest } from '../server/src/http/request.ts';
import { KEY_ROUTES } from '../server/src/key-terms.ts';

/**
 * The memory that the counts and the log of requests hold between two writes, with 1,000 keys in use. Takes a second:
 * `node scripts/launch.js bench/key-log-memory.ts`. Ends with status 1 above the bound.
 */

const KEYS = 1_000;
const ROUTES_PER_KEY = 6;
const REFUSED_PER_KEY = 20;
const REFUSALS: ErrorCode[] = ['rate_limited', 'missing_scope', 'invalid_input'];
const BOUND_BYTES = 5 * 1024 * 1024;

setFlagsFromString('--expose-gc');
const collectGarbage = runInNewContext('gc') as () => void;

function heapBytes(): number {
  for (let round = 0; round < 4; round += 1) {
    collectGarbage();
  }
  return process.memoryUsage().heapUsed;
}

/** Nothing is written here: what is measured is what waits. */
function never(): never {
  throw new Error('the bench writes nothing');
}
const noStore = new Proxy({}, { get: () => never }) as never;

const clock = { nowMs: Date.now, monotonicMs: () => performance.now() };

/** The parts that collect requests, and a function for each route that records one. */
function openLog() {
  const usage = createKeyUsage(noStore, clock);
  const requests = createKeyRequests(noStore);
  const log = createKeyLog({
    store: noStore,
    requestStore: noStore,
    guilds: noStore,
    usage,
    requests,
    clock,
  });
  const recorders = KEY_ROUTES.slice(0, ROUTES_PER_KEY).map((operationId) =>
    log.recorderOf(
      operationId,
      createNoteRequest({ operationId }, () => ownText('203.0.113.7')),
    ),
  );
  return { usage, requests, recorders };
}
type Log = ReturnType<typeof openLog>;

const principals = Array.from(
  { length: KEYS },
  (_, index) => ({ keyNo: index + 1, keepsAllUntilMs: 0, uses: undefined }) as Principal,
);

/** A new string each time, as the texts of real requests are. */
function ownText(text: string): string {
  return Buffer.from(text).toString();
}

function aRequest(number: number, code: ErrorCode | undefined, isLong: boolean): HttpRequest {
  const raw = {
    method: 'GET',
    url: ownText(`/guild/ledger/${number}/transactions?page=2${isLong ? `&q=${'long '.repeat(3_000)}` : ''}`),
    headers: {
      'x-api-key': ownText(`gbk_${number}`),
      'user-agent': ownText('bot '.repeat(isLong ? 400 : 5)),
    },
  } as unknown as IncomingMessage;
  const refusal = code && new DomainError(code, { detail: ownText('limit must be from 1 to 100') });
  return { id: ownText(`r-${number}`), raw, startMs: 0, refusal } as HttpRequest;
}

function answerAll({ recorders }: Log): void {
  for (const principal of principals) {
    for (const record of recorders) {
      record(principal, clock.nowMs(), undefined, aRequest(1, undefined, false), 200);
    }
  }
}

function refuseAll({ recorders }: Log, isLong: boolean): void {
  for (let count = 0; count < REFUSED_PER_KEY; count += 1) {
    const code = REFUSALS[count % REFUSALS.length];
    for (const [index, principal] of principals.entries()) {
      recorders[count % ROUTES_PER_KEY]?.(principal, clock.nowMs(), code, aRequest(index, code, isLong), 400);
    }
  }
}

/** The memory that a log holds after the requests of `use`. */
function measure(what: string, use: (log: Log) => void): number {
  const log = openLog();
  const off = heapBytes();
  use(log);
  const bytes = heapBytes() - off;
  console.log(`${(bytes / 1024 / 1024).toFixed(2).padStart(6)} MB  ${what}`);
  // After the measurement, so that nothing of the log is collected before.
  log.recorders.length = 0;
  return bytes;
}

const all = [
  measure(`${KEYS} keys, answered on ${ROUTES_PER_KEY} routes each`, answerAll),
  measure(`the same, and ${REFUSED_PER_KEY} refused requests of each`, (log) => {
    answerAll(log);
    refuseAll(log, false);
  }),
  measure('the same, with addresses and user agents of several kilobytes', (log) => {
    answerAll(log);
    refuseAll(log, true);
  }),
];
console.log(`bound: ${BOUND_BYTES / 1024 / 1024} MB`);
process.exitCode = Math.max(...all) > BOUND_BYTES ? 1 : 0;
