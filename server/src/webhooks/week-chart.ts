import { toPng } from '../png.ts';

/** The deposits and withdrawals of a day as positive numbers. */
export interface DayBars {
  /** Two letters below the bars. */
  label: string;
  deposits: number;
  withdrawals: number;
}

const WIDTH = 560;
const HEIGHT = 220;
const TOP = 16;
const BASE = 184;
const SCALE = 3;
/** Background, line, deposits, withdrawals, text: readable on light and dark chat themes. */
const PALETTE = [0x2b2d31, 0x4e5058, 0x2f9e44, 0xe03131, 0xdbdee1];
const [, LINE, IN, OUT, TEXT] = [0, 1, 2, 3, 4] as const;

/** The letters of the weekdays, five rows of three pixels each. */
const LETTERS: Readonly<Record<string, readonly string[]>> = {
  M: ['101', '111', '111', '101', '101'],
  O: ['111', '101', '101', '101', '111'],
  T: ['111', '010', '010', '010', '010'],
  U: ['101', '101', '101', '101', '111'],
  W: ['101', '101', '111', '111', '101'],
  E: ['111', '100', '110', '100', '111'],
  H: ['101', '101', '111', '101', '101'],
  F: ['111', '100', '110', '100', '100'],
  R: ['110', '101', '110', '101', '101'],
  S: ['111', '100', '111', '001', '111'],
  A: ['111', '101', '111', '101', '101'],
};

/** Bars of deposits and withdrawals for each day, as a PNG file. */
export function drawWeek(days: readonly DayBars[]): Buffer {
  const pixels = new Uint8Array(WIDTH * HEIGHT);
  const fill = (left: number, top: number, width: number, height: number, color: number) => {
    for (let row = top; row < top + height; row += 1) {
      pixels.fill(color, row * WIDTH + left, row * WIDTH + left + width);
    }
  };
  const write = (text: string, left: number, top: number) => {
    [...text].forEach((letter, place) => {
      LETTERS[letter]?.forEach((line, row) => {
        [...line].forEach((dot, column) => {
          if (dot === '1') {
            fill(left + (place * 4 + column) * SCALE, top + row * SCALE, SCALE, SCALE, TEXT);
          }
        });
      });
    });
  };
  const most = Math.max(1, ...days.flatMap(({ deposits, withdrawals }) => [deposits, withdrawals]));
  const step = Math.floor((WIDTH - 32) / Math.max(1, days.length));
  for (const share of [0, 0.5, 1]) {
    fill(16, TOP + Math.round((BASE - TOP) * share), WIDTH - 32, 1, LINE);
  }
  days.forEach(({ label, deposits, withdrawals }, index) => {
    const left = 16 + index * step;
    const heightOf = (sum: number) => (sum === 0 ? 0 : Math.max(2, Math.round((sum / most) * (BASE - TOP))));
    const width = Math.floor(step / 3);
    fill(left + 6, BASE - heightOf(deposits), width, heightOf(deposits), IN);
    fill(left + 8 + width, BASE - heightOf(withdrawals), width, heightOf(withdrawals), OUT);
    write(label, left + width - 4, BASE + 10);
  });
  return toPng({ width: WIDTH, height: HEIGHT, palette: PALETTE, pixels });
}
