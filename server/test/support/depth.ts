/** True in `npm run test:deep`, which repeats random and stress tests many more times than `npm test`. */
export const isDeep = process.env.GUILDBOOK_TEST_DEPTH === 'deep';

/** Picks a count: the first for every run, the second for npm run test:deep. */
export function depth(counts: { normal: number; deep: number }): number {
  return isDeep ? counts.deep : counts.normal;
}
