import { type Sample, SERIES, type Series } from './samples.ts';

const [WIDTH, PANEL_HEIGHT, LEFT, RIGHT, TOP, BOTTOM] = [960, 170, 56, 16, 30, 24];
const PLOT_WIDTH = WIDTH - LEFT - RIGHT;
const PLOT_HEIGHT = PANEL_HEIGHT - TOP - BOTTOM;
const STEPS = [1, 2, 2.5, 5, 10];

export interface Marks {
  /** Minutes at which the service was restarted. */
  restarts: readonly number[];
  /** The duration of the first part, with only the load. */
  aloneMinutes: number;
}

/** One panel below the other, with the same time axis. Dashed lines are restarts, a red line is a bound. */
export function drawSoak(samples: readonly Sample[], marks: Marks): string {
  const minutes = Math.max(1, samples.at(-1)?.minute ?? 1);
  const panels = SERIES.map((series, index) => {
    const panel = drawPanel(series, samples, { minutes, ...marks });
    return `<g transform="translate(0 ${index * PANEL_HEIGHT})">${panel}</g>`;
  });
  const height = SERIES.length * PANEL_HEIGHT;
  return `<svg xmlns="http://www.w3.org/2000/svg" width="${WIDTH}" height="${height}" viewBox="0 0 ${WIDTH} ${height}" font-family="system-ui, sans-serif" font-size="12">
<title>Memory, write-ahead log, open files and waits over time</title>
<rect width="100%" height="100%" fill="#fff"/>
${panels.join('\n')}
</svg>
`;
}

function drawPanel(
  { title, unit, pick, atMost, atMostAlone }: Series,
  samples: readonly Sample[],
  { minutes, restarts, aloneMinutes }: Marks & { minutes: number },
): string {
  const values = samples.map(pick);
  const { top, step } = scaleOf(Math.max(1, ...values));
  const x = (minute: number) => LEFT + (minute / minutes) * PLOT_WIDTH;
  const y = (value: number) => TOP + PLOT_HEIGHT * (1 - value / top);
  const across = (value: number, stroke: string, untilMinute = minutes) =>
    `<line x1="${LEFT}" x2="${round(x(untilMinute))}" y1="${round(y(value))}" y2="${round(y(value))}" stroke="${stroke}"/>`;
  const label = (value: number) =>
    `<text x="${LEFT - 8}" y="${round(y(value) + 4)}" text-anchor="end" fill="#667">${value.toLocaleString('en')}</text>`;
  const ticks = Array.from({ length: Math.round(top / step) + 1 }, (_unused, index) => index * step);
  const hours = timesOf(minutes);
  return [
    `<text x="${LEFT}" y="18" font-weight="600" fill="#223">${title}${unit === '' ? '' : `, ${unit}`}</text>`,
    ...ticks.map((value) => across(value, '#e4e7ec') + label(value)),
    ...hours.map(
      (minute) =>
        `<text x="${round(x(minute))}" y="${PANEL_HEIGHT - 8}" text-anchor="middle" fill="#667">${minute} min</text>`,
    ),
    ...restarts.map(
      (minute) =>
        `<line x1="${round(x(minute))}" x2="${round(x(minute))}" y1="${TOP}" y2="${TOP + PLOT_HEIGHT}" stroke="#98a2b3" stroke-dasharray="3 3"/>`,
    ),
    ...(atMost !== undefined && atMost <= top ? [across(atMost, '#d92d20')] : []),
    ...(atMostAlone !== undefined && atMostAlone <= top
      ? [across(atMostAlone, '#d92d20', aloneMinutes)]
      : []),
    `<polyline fill="none" stroke="#175cd3" stroke-width="1.5" stroke-linejoin="round" points="${samples
      .map((sample) => `${round(x(sample.minute))},${round(y(pick(sample)))}`)
      .join(' ')}"/>`,
  ].join('\n');
}

/** A round upper end of an axis, and the distance of its lines. */
function scaleOf(highest: number): { top: number; step: number } {
  const rough = highest / 3;
  const power = 10 ** Math.floor(Math.log10(rough));
  const step = power * (STEPS.find((one) => one * power >= rough) ?? 10);
  return { top: Math.ceil(highest / step) * step, step };
}

function timesOf(minutes: number): number[] {
  const { step } = scaleOf(minutes);
  const whole = Math.max(1, Math.round(step / 2));
  return Array.from({ length: Math.floor(minutes / whole) + 1 }, (_unused, index) => index * whole);
}

function round(value: number): number {
  return Math.round(value * 10) / 10;
}
