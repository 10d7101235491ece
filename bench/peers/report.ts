import { readFileSync, writeFileSync } from 'node:fs';
import { cut, whole } from '../support/findings.ts';
import { markdownTable } from '../support/markdown-table.ts';
import type { Pace } from '../support/measure.ts';
import { EARLIER } from './earlier.ts';
import type { PeerResult } from './measure-peer.ts';
import { JOB_NAMES, JOBS } from './peer.ts';
import { drawPeers } from './picture.ts';
import { formatRatio, isUsable, OTHERS_PERCENT_MAX, type ShownPeer, showPeers } from './shown.ts';

const ROOT = new URL('../../', import.meta.url);
const FILES = {
  json: 'bench/results/peers.json',
  table: 'bench/results/peers.md',
  picture: 'docs/images/peers.svg',
} as const;
const EARLIER_MARK = '†';
const UNSAFE_MARK = '‡';

export interface PeersRun {
  machine: Record<string, string>;
  pace: Pace;
  results: PeerResult[];
}

/** Keeps a whole run, and writes the table and the picture that show it. */
export function keepRun(run: PeersRun): void {
  writeFileSync(new URL(FILES.json, ROOT), `${JSON.stringify(run, null, 2)}\n`);
  writeReport(run);
}

/** Writes table and picture of the run that is kept once more. */
export function rewriteReport(): void {
  writeReport(JSON.parse(readFileSync(new URL(FILES.json, ROOT), 'utf8')));
}

function writeReport(run: PeersRun): void {
  const shown = showPeers(run.results);
  writeFileSync(new URL(FILES.table, ROOT), formatRun(run, shown));
  writeFileSync(new URL(FILES.picture, ROOT), drawPeers(shown));
  console.log(`\nwritten to ${Object.values(FILES).join(', ')}`);
}

/** The document of a run. Its first table is the short one that other documents may take over. */
export function formatRun({ machine, pace, results }: PeersRun, shown: readonly ShownPeer[]): string {
  return [
    '# This service and others',
    '`npm run bench:peers` writes this page. [bench/README.md](../README.md#this-service-and-others) explains the figures.',
    'Requests per second as a share of a bare `node:http` server that sends the same bytes, measured in turns:',
    shortTable(shown),
    ...(shown.some(({ isEarlier }) => isEarlier)
      ? [
          `${EARLIER_MARK} No usable figures in this run. Those shown come from an earlier comparison with other scripts, whose date and machine were not recorded.`,
        ]
      : []),
    ...(shown.some(({ survivesPowerCut }) => !survivesPowerCut)
      ? [`${UNSAFE_MARK} A post that was acknowledged can be lost in a power cut.`]
      : []),
    ...(shown.some(({ isEarlier }) => isEarlier) || results.some(({ outcome }) => outcome !== 'measured')
      ? ['## Not measured', unmeasuredTable(results, shown)]
      : []),
    '## Rates',
    `Medians of ${pace.rounds} rounds of ${pace.seconds} s. Every answer had a good status; samples of the content were checked, and every acknowledged post was found in the database. A ratio is not used when other programs took more than ${OTHERS_PERCENT_MAX} % of the processors.`,
    rateTable(results),
    '## Versions and durability',
    durabilityTable(results),
    '## Machine',
    markdownTable(['', ''], Object.entries(machine)),
    '',
  ].join('\n\n');
}

function shortTable(shown: readonly ShownPeer[]): string {
  return markdownTable(
    ['service', ...JOB_NAMES.map((job) => JOBS[job])],
    shown.map(({ title, isEarlier, survivesPowerCut, ratios }) => [
      [title, ...(isEarlier ? [EARLIER_MARK] : []), ...(survivesPowerCut ? [] : [UNSAFE_MARK])].join(' '),
      ...JOB_NAMES.map((job) => {
        const ratio = ratios[job];
        return ratio === undefined ? '-' : formatRatio(ratio);
      }),
    ]),
  );
}

function unmeasuredTable(results: readonly PeerResult[], shown: readonly ShownPeer[]): string {
  const rows = results.flatMap(({ title, outcome, reason = '', jobs }, index) => {
    if (outcome !== 'measured') {
      return [[title, outcome, firstLineOf(reason)]];
    }
    if (shown[index]?.isEarlier !== true) {
      return [];
    }
    const isDisturbed = Object.values(jobs).some((job) => job.outcome === 'measured');
    return isDisturbed
      ? [[title, 'not used', `other programs took more than ${OTHERS_PERCENT_MAX} % of the processors`]]
      : [[title, 'failed', 'every job failed, see the rates']];
  });
  return markdownTable(['service', 'outcome', 'reason'], rows);
}

function rateTable(results: readonly PeerResult[]): string {
  const rows = results.flatMap(({ title, outcome, jobs }) =>
    outcome === 'measured'
      ? JOB_NAMES.map((job) => {
          const result = jobs[job];
          if (result?.outcome !== 'measured') {
            const reason = result?.outcome === 'failed' ? firstLineOf(result.reason) : 'no such endpoint';
            return [title, JOBS[job], reason, '', '', '', '', '', ''];
          }
          const { measured, limit, ratio, spread, answered, cpuMicroseconds, stolenPercent } =
            result.comparison;
          return [
            title,
            JOBS[job],
            whole(measured),
            whole(limit),
            isUsable(result.comparison) ? `**${formatRatio(ratio)}**` : `${formatRatio(ratio)}, not used`,
            `${cut(spread.lowest)} to ${cut(spread.highest)}`,
            `${whole(cpuMicroseconds.measured)} / ${whole(cpuMicroseconds.limit)}`,
            whole(answered),
            stolenPercent.toFixed(0),
          ];
        })
      : [],
  );
  return markdownTable(
    [
      'service',
      'job',
      'requests/s',
      'bare',
      'ratio',
      'spread',
      'CPU µs, service / bare',
      'answers',
      'taken by others, %',
    ],
    rows,
  );
}

function durabilityTable(results: readonly PeerResult[]): string {
  return markdownTable(
    ['service', 'version', 'an acknowledged post survives a power cut', 'settings'],
    results.map(({ name, title, version, survivesPowerCut, durability, outcome }) => [
      title,
      outcome === 'measured'
        ? version
        : `${version}; in the earlier comparison ${EARLIER[name]?.version ?? 'none'}`,
      survivesPowerCut ? 'yes' : '**no**',
      durability,
    ]),
  );
}

function firstLineOf(text: string): string {
  return text.split('\n', 1)[0] ?? '';
}
