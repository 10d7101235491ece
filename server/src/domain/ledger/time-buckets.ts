const SECOND_MS = 1_000;
const MINUTE_MS = 60 * SECOND_MS;
const HOUR_MS = 60 * MINUTE_MS;
const DAY_MS = 24 * HOUR_MS;

/** The possible lengths of buckets. */
const LENGTHS_MS = [
  SECOND_MS,
  2 * SECOND_MS,
  5 * SECOND_MS,
  10 * SECOND_MS,
  15 * SECOND_MS,
  30 * SECOND_MS,
  MINUTE_MS,
  2 * MINUTE_MS,
  5 * MINUTE_MS,
  10 * MINUTE_MS,
  15 * MINUTE_MS,
  30 * MINUTE_MS,
  HOUR_MS,
  2 * HOUR_MS,
  3 * HOUR_MS,
  6 * HOUR_MS,
  12 * HOUR_MS,
  DAY_MS,
  2 * DAY_MS,
  4 * DAY_MS,
  7 * DAY_MS,
];

/**
 * The length of the buckets for a span of time: the shortest that gives at most `countMax` buckets. Buckets start at
 * multiples of their length, so that later transactions do not move the earlier buckets.
 */
export function bucketLengthMs({ fromMs, toMs }: { fromMs: number; toMs: number }, countMax: number): number {
  // A span that starts within a bucket extends into one more.
  const enough = (lengthMs: number) => (toMs - fromMs) / lengthMs + 1 <= countMax;
  const listed = LENGTHS_MS.find(enough);
  if (listed !== undefined) {
    return listed;
  }
  let lengthMs = 14 * DAY_MS;
  while (!enough(lengthMs)) {
    lengthMs *= 2;
  }
  return lengthMs;
}
