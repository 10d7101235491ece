import type { Comparison } from '../support/measure.ts';
import { EARLIER } from './earlier.ts';
import type { PeerResult } from './measure-peer.ts';
import { JOB_NAMES, type JobName } from './peer.ts';

/** The largest share of the processor time, in percent, that other programs may take in a job whose figure is shown. */
export const OTHERS_PERCENT_MAX = 20;

/** One line of the table and of the picture. */
export interface ShownPeer {
  name: string;
  title: string;
  /** True when the figures are those of the earlier run. */
  isEarlier: boolean;
  survivesPowerCut: boolean;
  ratios: Partial<Record<JobName, number>>;
}

/** The figures of this run; those of the earlier run for a peer that has none in this run. */
export function showPeers(results: readonly PeerResult[]): ShownPeer[] {
  return results.map(({ name, title, version, survivesPowerCut, jobs }) => {
    const ratios: ShownPeer['ratios'] = {};
    for (const job of JOB_NAMES) {
      const result = jobs[job];
      if (result?.outcome === 'measured' && isUsable(result.comparison)) {
        ratios[job] = result.comparison.ratio;
      }
    }
    const earlier = EARLIER[name];
    if (Object.keys(ratios).length > 0 || earlier === undefined) {
      return { name, title: `${title} ${version}`, survivesPowerCut, isEarlier: false, ratios };
    }
    const known = /^\d/.test(earlier.version) ? ` ${earlier.version}` : '';
    return { name, title: `${title}${known}`, survivesPowerCut, isEarlier: true, ratios: earlier.ratios };
  });
}

/** With more work of other programs, the ratios of single rounds differed by a factor of eight. */
export function isUsable({ stolenPercent }: Comparison): boolean {
  return stolenPercent <= OTHERS_PERCENT_MAX;
}

/** Two places, or three for small ratios, where two would hide the differences. */
export function formatRatio(ratio: number): string {
  return ratio.toFixed(ratio < 0.1 ? 3 : 2);
}
