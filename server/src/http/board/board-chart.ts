import type { BoardDay } from '../../domain/board/read-board.ts';
import { escapeHtml } from '../../escape-html.ts';

const STEP = 10;
const GAP = 2;
const HEIGHT = 160;
/** Even the smallest sum of a day is visible. */
const BAR_MIN = 1.5;

export interface ChartOptions {
  /** The note of a day; undefined for bars without notes. */
  noteOf?: (day: BoardDay) => string;
}

/** The heights above and below zero of the bars of each day, as shares of the whole height, and where zero is. */
export function barShares(days: readonly BoardDay[]): { zero: number; bars: { up: number; down: number }[] } {
  const sizes = days.map(({ depositUnits, withdrawalUnits }) => ({
    up: Number(depositUnits),
    down: Number(withdrawalUnits),
  }));
  const up = Math.max(0, ...sizes.map((size) => size.up));
  const down = Math.max(0, ...sizes.map((size) => size.down));
  const whole = up + down || 1;
  return {
    zero: up + down === 0 ? 1 : up / whole,
    bars: sizes.map((size) => ({ up: size.up / whole, down: size.down / whole })),
  };
}

/** Bars of deposits above zero and of withdrawals below it. The picture is stretched to the width of the page. */
export function drawBars(days: readonly BoardDay[], { noteOf }: ChartOptions = {}): string {
  const { zero, bars } = barShares(days);
  const width = days.length * STEP;
  const level = round(zero * HEIGHT);
  const path = (of: 'up' | 'down') =>
    bars
      .map((bar, index) => {
        if (bar[of] === 0) {
          return '';
        }
        const height = round(Math.max(BAR_MIN, bar[of] * HEIGHT));
        const top = of === 'up' ? round(level - height) : level;
        return `M${index * STEP + GAP / 2} ${top}h${STEP - GAP}v${height}h-${STEP - GAP}z`;
      })
      .join('');
  const notes =
    noteOf === undefined
      ? ''
      : days
          .map(
            (day, index) =>
              `<rect class="day" x="${index * STEP}" width="${STEP}" height="${HEIGHT}"><title>${escapeHtml(noteOf(day))}</title></rect>`,
          )
          .join('');
  return (
    `<svg class="bars" viewBox="0 -2 ${width} ${HEIGHT + 4}" preserveAspectRatio="none" aria-hidden="true">` +
    `<path class="in" d="${path('up')}"/><path class="out" d="${path('down')}"/>` +
    `<line class="zero" x1="0" x2="${width}" y1="${level}" y2="${level}"/>${notes}</svg>`
  );
}

function round(value: number): number {
  return Math.round(value * 10) / 10;
}
