import type { JobName } from './peer.ts';

export interface EarlierFigures {
  version: string;
  ratios: Partial<Record<JobName, number>>;
}

/**
 * Ratios of an earlier comparison of the same services and jobs, by the names of the peers. It was made with other scripts, and its
 * date and machine were not recorded. The results show them, marked, for a peer that the run could not measure. Guildbook's record
 * read had 0.55 to 0.76 there; the lowest is shown.
 */
export const EARLIER: Readonly<Record<string, EarlierFigures>> = {
  guildbook: { version: 'not recorded', ratios: { record: 0.55, list: 0.57, post: 0.34 } },
  express: { version: '5 with better-sqlite3', ratios: { record: 0.5, list: 0.096, post: 0.076 } },
  pocketbase: { version: '0.36', ratios: { record: 0.12, list: 0.055, post: 0.07 } },
  blnk: { version: '0.15', ratios: { record: 0.07, post: 0.006 } },
  formance: { version: 'not recorded', ratios: { record: 0.024, list: 0.019, post: 0.002 } },
};
