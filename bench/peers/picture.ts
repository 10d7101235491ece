import { JOB_NAMES, JOBS, type JobName } from './peer.ts';
import { formatRatio, type ShownPeer } from './shown.ts';

const [WIDTH, MARGIN, LABELS, GAP] = [960, 24, 268, 16];
const [TOP, ROW, BAR, FOOTER] = [104, 34, 16, 58];
const PANEL = (WIDTH - 2 * MARGIN - LABELS - 3 * GAP) / 3;
/** Room for the figure beside the longest bar. */
const FIGURE = 42;
const CHARACTERS_MAX = 44;

const STYLE = `
  text { font-family: system-ui, -apple-system, 'Segoe UI', sans-serif; font-size: 13px; fill: #1f2328 }
  .ground { fill: #ffffff; stroke: #d1d9e0 }
  .title { font-size: 17px; font-weight: 600 }
  .job { font-weight: 600 }
  .own { font-weight: 600 }
  .note { font-size: 12px; fill: #59636e }
  .axis { stroke: #d1d9e0 }
  .track { fill: #f0f2f4 }
  .bar { fill: #8c959f }
  .bar.own { fill: #0969da }
  .bar.earlier { fill-opacity: 0.25; stroke: #8c959f; stroke-dasharray: 3 2 }
  .bar.own.earlier { stroke: #0969da }
  @media (prefers-color-scheme: dark) {
    text { fill: #e6edf3 }
    .ground { fill: #0d1117; stroke: #3d444d }
    .note { fill: #9198a1 }
    .axis { stroke: #3d444d }
    .track { fill: #1c2229 }
    .bar { fill: #6e7681 }
    .bar.own { fill: #4493f8 }
    .bar.earlier { stroke: #9198a1 }
    .bar.own.earlier { stroke: #4493f8 }
  }`;

/** A panel of bars for each job, all with the same scale. It brings its own background, for pages in light and in dark. */
export function drawPeers(peers: readonly ShownPeer[]): string {
  const height = TOP + peers.length * ROW + FOOTER;
  const highest = Math.max(...peers.flatMap(({ ratios }) => Object.values(ratios)));
  // The whole scale is the bare server, unless a service was faster than that.
  const scale = (PANEL - FIGURE) / Math.max(1, highest);
  const description = peers.map(describe).join('; ');
  return `<svg xmlns="http://www.w3.org/2000/svg" width="${WIDTH}" height="${height}" viewBox="0 0 ${WIDTH} ${height}" role="img" aria-labelledby="title description">
<title id="title">Requests per second as a share of a bare node:http server</title>
<desc id="description">${escapeText(description)}</desc>
<style>${STYLE}
</style>
<rect class="ground" x="0.5" y="0.5" width="${WIDTH - 1}" height="${height - 1}" rx="8"/>
<text class="title" x="${MARGIN}" y="36">Requests per second as a share of a bare node:http server</text>
<text class="note" x="${MARGIN}" y="56">1.00 is a server that sends the same bytes and does nothing else. Longer is better.</text>
${peers.map(drawLabel).join('\n')}
${JOB_NAMES.map((job, index) => drawPanel(peers, { job, index, scale })).join('\n')}
<text class="note" x="${MARGIN}" y="${height - 20}">${escapeText(notesOf(peers))}</text>
</svg>
`;
}

function notesOf(peers: readonly ShownPeer[]): string {
  const unsafe = peers.filter(({ survivesPowerCut }) => !survivesPowerCut).map(({ title }) => title);
  return [
    ...(peers.some(({ isEarlier }) => isEarlier) ? ['Dashed: from an earlier comparison.'] : []),
    ...unsafe.map((title) => `${title} can lose acknowledged posts in a power cut.`),
  ].join(' ');
}

function drawLabel({ name, title, isEarlier }: ShownPeer, row: number): string {
  const label = title.length > CHARACTERS_MAX ? `${title.slice(0, CHARACTERS_MAX - 1)}…` : title;
  const kind = name === 'guildbook' ? ' class="own"' : isEarlier ? ' class="note"' : '';
  return `<text${kind} x="${MARGIN}" y="${middleOf(row) + 4}">${escapeText(label)}</text>`;
}

function drawPanel(
  peers: readonly ShownPeer[],
  { job, index, scale }: { job: JobName; index: number; scale: number },
): string {
  const x = MARGIN + LABELS + GAP + index * (PANEL + GAP);
  const bottom = TOP + peers.length * ROW;
  const bars = peers.map(({ name, isEarlier, ratios }, row) => {
    const ratio = ratios[job];
    const y = middleOf(row);
    const track = `<rect class="track" x="${round(x)}" y="${y - BAR / 2}" width="${round(scale)}" height="${BAR}" rx="2"/>`;
    if (ratio === undefined) {
      return `<text class="note" x="${round(x + 6)}" y="${y + 4}">not measured</text>`;
    }
    const kind = `bar${name === 'guildbook' ? ' own' : ''}${isEarlier ? ' earlier' : ''}`;
    const width = Math.max(2, round(ratio * scale));
    return (
      `${track}<rect class="${kind}" x="${round(x)}" y="${y - BAR / 2}" width="${width}" height="${BAR}" rx="2"/>` +
      `<text x="${round(x + width + 6)}" y="${y + 4}">${formatRatio(ratio)}</text>`
    );
  });
  return [
    `<text class="job" x="${round(x)}" y="${TOP - 12}">${JOBS[job]}</text>`,
    `<line class="axis" x1="${round(x)}" x2="${round(x)}" y1="${TOP - 2}" y2="${bottom}"/>`,
    ...bars,
  ].join('\n');
}

function describe({ title, isEarlier, ratios }: ShownPeer): string {
  const figures = JOB_NAMES.map((job) => {
    const ratio = ratios[job];
    return `${JOBS[job]} ${ratio === undefined ? 'not measured' : formatRatio(ratio)}`;
  });
  return `${title}${isEarlier ? ' (earlier comparison)' : ''}: ${figures.join(', ')}`;
}

function middleOf(row: number): number {
  return TOP + row * ROW + ROW / 2;
}

function round(value: number): number {
  return Math.round(value * 10) / 10;
}

function escapeText(text: string): string {
  return text.replaceAll('&', '&amp;').replaceAll('<', '&lt;');
}
