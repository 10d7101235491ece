import { EARLIER } from './earlier.ts';
import type { PeerResult } from './measure-peer.ts';
import { JOB_NAMES, type JobName } from './peer.ts';

/** One line of the table and of the picture. */
export interface ShownPeer {
  name: string;
  title: string;
  /** True when the figures are those of the earlier run. */
  isEarlier: boolean;
  survivesPowerCut: boolean;
  ratios: Partial<Record<JobName, number>>;
}

/** The figures of this run; those of the earlier run for a peer that this run could not measure. */
export function showPeers(results: readonly PeerResult[]): ShownPeer[] {
  return results.map(({ name, title, version, survivesPowerCut, outcome, jobs }) => {
    const earlier = EARLIER[name];
    if (outcome !== 'measured' && earlier !== undefined) {
      const known = /^\d/.test(earlier.version) ? ` ${earlier.version}` : '';
      const shownTitle = `${title}${known}`;
      return { name, title: shownTitle, survivesPowerCut, isEarlier: true, ratios: earlier.ratios };
    }
    const ratios: ShownPeer['ratios'] = {};
    for (const job of JOB_NAMES) {
      const result = jobs[job];
      if (result?.outcome === 'measured') {
        ratios[job] = result.comparison.ratio;
      }
    }
    return { name, title: `${title} ${version}`, survivesPowerCut, isEarlier: false, ratios };
  });
}

/** Two places, or three for small ratios, where two would hide the differences. */
export function formatRatio(ratio: number): string {
  return ratio.toFixed(ratio < 0.1 ? 3 : 2);
}
