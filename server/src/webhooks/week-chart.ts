import { toPng } from '../png.ts';

/** The deposits and withdrawals of a day as positive numbers. */
export interface DayBars {
  /** Up to three letters below the bars. */
  label: string;
  deposits: number;
  withdrawals: number;
}

const WIDTH = 560;
const HEIGHT = 220;
const TOP = 16;
const BASE = 184;
const TEXT_HEIGHT = 15;
/** Background, line, deposits, withdrawals, text: readable on light and dark chat themes. */
const PALETTE = [0x2b2d31, 0x4e5058, 0x2f9e44, 0xe03131, 0xdbdee1];
const [, LINE, IN, OUT, TEXT] = [0, 1, 2, 3, 4] as const;

/** The letters of the weekdays, five rows of three pixels each, and those of Japanese, seven rows of seven. */
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
  B: ['110', '101', '110', '101', '110'],
  D: ['110', '101', '101', '101', '110'],
  G: ['111', '100', '101', '101', '111'],
  I: ['111', '010', '010', '010', '111'],
  J: ['001', '001', '001', '101', '111'],
  L: ['100', '100', '100', '100', '111'],
  Q: ['111', '101', '101', '111', '001'],
  V: ['101', '101', '101', '101', '010'],
  X: ['101', '101', '010', '101', '101'],
  月: ['0111110', '0100010', '0111110', '0100010', '0111110', '0100010', '1000110'],
  火: ['0001000', '0101001', '0101010', '1001000', '0010100', '0100010', '1000001'],
  水: ['0001000', '0001001', '1111010', '0011100', '0101100', '1001010', '0011001'],
  木: ['0001000', '1111111', '0001000', '0011100', '0101010', '1001001', '0001000'],
  金: ['0001000', '0010100', '0111110', '1001001', '0111110', '0101010', '1111111'],
  土: ['0001000', '0001000', '0111110', '0001000', '0001000', '0001000', '1111111'],
  日: ['0111110', '0100010', '0100010', '0111110', '0100010', '0100010', '0111110'],
};

/** True when every letter of a label can be drawn. */
export function isDrawable(label: string): boolean {
  return [...label].every((letter) => LETTERS[letter] !== undefined);
}

/** The rows of a letter, the size of its pixels, and the way to the next letter. */
function glyphOf(letter: string): { rows: readonly string[]; size: number; advance: number } {
  const rows = LETTERS[letter] ?? [];
  const size = Math.floor(TEXT_HEIGHT / Math.max(5, rows.length));
  return { rows, size, advance: ((rows[0]?.length ?? 3) + 1) * size };
}

function widthOf(label: string): number {
  const glyphs = [...label].map(glyphOf);
  return glyphs.reduce((sum, { advance }) => sum + advance, 0) - (glyphs.at(-1)?.size ?? 0);
}

/** Bars of deposits and withdrawals for each day, as a PNG file. */
export function drawWeek(days: readonly DayBars[]): Buffer {
  const pixels = new Uint8Array(WIDTH * HEIGHT);
  const fill = (left: number, top: number, width: number, height: number, color: number) => {
    for (let row = top; row < top + height; row += 1) {
      pixels.fill(color, row * WIDTH + left, row * WIDTH + left + width);
    }
  };
  const write = (text: string, left: number, top: number) => {
    let x = left;
    for (const { rows, size, advance } of [...text].map(glyphOf)) {
      rows.forEach((line, row) => {
        [...line].forEach((dot, column) => {
          if (dot === '1') {
            fill(x + column * size, top + row * size, size, size, TEXT);
          }
        });
      });
      x += advance;
    }
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
    // In the middle between the two bars.
    write(label, Math.floor(left + width + 7 - widthOf(label) / 2), BASE + 10);
  });
  return toPng({ width: WIDTH, height: HEIGHT, palette: PALETTE, pixels });
}
