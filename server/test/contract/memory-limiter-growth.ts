import { queryObjects } from 'node:v8';
import { parentPort } from 'node:worker_threads';
import { createMemoryLimiter } from '../../src/limiter/memory.ts';

// Runs in a thread of its own: counting objects takes as long as the heap is large, and that of a test process is.

const subjects = 100_000;
const perSecond = 4_000;
const bucket = { name: 'ledger', limit: 10, windowMs: 1_000 };

let nowMs = 0;
const limiter = createMemoryLimiter({ monotonicMs: () => nowMs });
const before = countLogs();
for (let subject = 0; subject < subjects; subject += 1) {
  nowMs = subject * (bucket.windowMs / perSecond);
  await limiter.admit(bucket, `subject-${subject}`);
}
const kept = countLogs() - before;
// The limiter is still in use here, or its logs would not be counted either.
const { admitted } = await limiter.admit(bucket, 'subject-0');
parentPort?.postMessage({ kept, perSecond, admitted });

/** Each subject's log is one such array. Unlike the heap's size, their number does not depend on the rest of the process. */
function countLogs(): number {
  return queryObjects(Float64Array, { format: 'count' });
}
