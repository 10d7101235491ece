/** Refused requests of a key with one code: those of the last day, and those of the days before. */
export interface RefusalCount {
  keyId: string;
  code: string;
  recent: number;
  before: number;
}

/** A key whose requests are refused much more often than before. */
export interface RefusalJump {
  keyId: string;
  /** Its refused requests of the last day. */
  refused: number;
  /** Those of a day before, on average. */
  usual: number;
  /** The most frequent code of the last day. */
  code: string;
}

export const RECENT_HOURS = 24;
export const BASELINE_DAYS = 7;
/** Fewer refusals in a day are no jump: programs ask for absent records, or too often, now and then. */
const REFUSED_MIN = 10;
const TIMES_USUAL_MIN = 3;

/** The keys whose refusals have jumped, those with most refusals first. */
export function refusalJumps(counts: readonly RefusalCount[]): RefusalJump[] {
  const byKey = Map.groupBy(counts, ({ keyId }) => keyId);
  return Array.from(byKey, ([keyId, own]) => {
    const [first] = own.toSorted((one, other) => other.recent - one.recent);
    return {
      keyId,
      refused: own.reduce((sum, { recent }) => sum + recent, 0),
      usual: own.reduce((sum, { before }) => sum + before, 0) / BASELINE_DAYS,
      code: first?.code ?? '',
    };
  })
    .filter(({ refused, usual }) => refused >= REFUSED_MIN && refused >= TIMES_USUAL_MIN * usual)
    .sort((one, other) => other.refused - one.refused);
}
