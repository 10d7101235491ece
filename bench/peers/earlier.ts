import type { JobName } from './peer.ts';

export interface EarlierFigures {
  version: string;
  ratios: Partial<Record<JobName, number>>;
}

/**
 * Ratios of an earlier run of the same comparison, by the names of the peers. Its date and machine were not recorded. The
 * results show them, marked, for a peer that the run could not measure.
 */
export const EARLIER: Readonly<Record<string, EarlierFigures>> = {
  express: { version: '5', ratios: { record: 0.5, list: 0.096, post: 0.076 } },
  pocketbase: { version: '0.36', ratios: { record: 0.12, list: 0.055, post: 0.07 } },
  blnk: { version: '0.15', ratios: { record: 0.07, post: 0.006 } },
  formance: { version: 'not recorded', ratios: { record: 0.024, list: 0.019, post: 0.002 } },
};
