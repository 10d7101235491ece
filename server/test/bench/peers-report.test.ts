import { describe, expect, it } from 'vitest';
import type { PeerResult } from '../../../bench/peers/measure-peer.ts';
import { drawPeers } from '../../../bench/peers/picture.ts';
import { formatRun } from '../../../bench/peers/report.ts';
import { showPeers } from '../../../bench/peers/shown.ts';
import type { Comparison } from '../../../bench/support/measure.ts';

const COMPARISON: Comparison = {
  title: 'record read',
  measured: 20_000,
  limit: 40_000,
  ratio: 0.5,
  spread: { lowest: 0.4, highest: 0.6 },
  reach: undefined,
  p99Ms: 8,
  limitP99Ms: 4,
  memoryBytes: 1,
  cpuMicroseconds: { measured: 30, limit: 15 },
  stolenPercent: 0,
  answered: 100_000,
};

function resultOf(more: Partial<PeerResult>): PeerResult {
  return {
    name: 'guildbook',
    title: 'Guildbook',
    version: '1.2.3',
    survivesPowerCut: true,
    durability: 'SQLite',
    outcome: 'measured',
    jobs: {},
    ...more,
  };
}

function format(results: PeerResult[]): string[] {
  const run = { machine: {}, pace: { rounds: 5, seconds: 1, warmUpSeconds: 1 }, results };
  return formatRun(run, showPeers(results)).split('\n');
}

const NOT_OBTAINED = resultOf({
  name: 'blnk',
  title: 'Blnk',
  outcome: 'not obtained',
  reason: 'the module registry answered 403 Forbidden',
});

describe('the report of bench:peers', () => {
  it('shows the figures of the run, and none for a job that failed', () => {
    const lines = format([
      resultOf({
        // An earlier run measured this one too.
        name: 'express',
        jobs: {
          record: { outcome: 'measured', comparison: { ...COMPARISON, ratio: 0.25 } },
          list: { outcome: 'failed', reason: '3 of 9 requests failed' },
          post: { outcome: 'measured', comparison: { ...COMPARISON, ratio: 0.0444 } },
        },
      }),
    ]);
    expect(lines).toContain('| Guildbook 1.2.3 | 0.25 | - | 0.044 |');
    expect(lines.find((line) => line.startsWith('| Guildbook | list of 20 |'))).toContain(
      '3 of 9 requests failed',
    );
  });

  it('marks the earlier figures of a peer that could not be obtained, and has the reason', () => {
    const lines = format([NOT_OBTAINED]);
    expect(lines).toContain('| Blnk 0.15 † | 0.070 | - | 0.006 |');
    expect(lines.some((line) => line.startsWith('† No usable figures in this run.'))).toBe(true);
    expect(lines).toContain('| Blnk | not obtained | the module registry answered 403 Forbidden |');
  });

  it('has no figures for a failed peer that no earlier run measured', () => {
    const lines = format([
      resultOf({ name: 'another', title: 'Another', outcome: 'failed', reason: 'broke' }),
    ]);
    expect(lines).toContain('| Another 1.2.3 | - | - | - |');
    expect(lines).toContain('| Another | failed | broke |');
  });

  it('marks a service that can lose acknowledged posts', () => {
    const lines = format([resultOf({ name: 'another', survivesPowerCut: false })]);
    expect(lines).toContain('| Guildbook 1.2.3 ‡ | - | - | - |');
  });

  it('uses no figure of a job during which other programs had the processors', () => {
    const measured = (stolenPercent: number) =>
      format([
        resultOf({
          name: 'another',
          jobs: { record: { outcome: 'measured', comparison: { ...COMPARISON, stolenPercent } } },
        }),
      ]);
    expect(measured(20)).toContain('| Guildbook 1.2.3 | 0.50 | - | - |');
    expect(measured(21)).toContain('| Guildbook 1.2.3 | - | - | - |');
    expect(measured(21).join('\n')).toContain('| 0.50, not used |');
  });

  it('shows marked earlier figures for a service whose jobs were all disturbed', () => {
    const comparison = { ...COMPARISON, stolenPercent: 75 };
    const lines = format([
      resultOf({ name: 'express', title: 'Express', jobs: { record: { outcome: 'measured', comparison } } }),
    ]);
    expect(lines).toContain('| Express 5 with better-sqlite3 † | 0.50 | 0.096 | 0.076 |');
    expect(lines.find((line) => line.startsWith('| Express | not used |'))).toContain('more than 20 %');
    const failed = format([
      resultOf({ name: 'express', title: 'Express', jobs: { post: { outcome: 'failed', reason: '409' } } }),
    ]);
    expect(failed).toContain('| Express | failed | every job failed, see the rates |');
  });

  it('draws bars of this run and of an earlier one differently', () => {
    const jobs = { record: { outcome: 'measured', comparison: COMPARISON } } as const;
    const picture = drawPeers(showPeers([resultOf({ jobs, title: 'A<B' }), NOT_OBTAINED]));
    expect(picture.match(/class="bar own"/g)).toHaveLength(1);
    expect(picture.match(/class="bar earlier"/g)).toHaveLength(2);
    expect(picture).toContain('A&lt;B');
    expect(picture).not.toContain('A<B');
  });
});
