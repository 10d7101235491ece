import { createCache } from '../../domain/cache.ts';
import type { BalancePicture } from '../../domain/chat/reply.ts';
import { toPng } from '../../png.ts';

const WIDTH = 360;
const HEIGHT = 90;
const PADDING = 8;
const COLUMNS = WIDTH - 2 * PADDING;
/** Background, line of zero, area, balance: readable on light and dark chat themes. */
const PALETTE = [0x2b2d31, 0x4e5058, 0x2c3f7a, 0x748ffc];
const [ZERO, AREA, LINE] = [1, 2, 3];
const STROKE = 2;
/** The rows of the picture are alike, so a higher level of compression takes longer for hardly fewer bytes. */
const LEVEL = 1;

/** Pictures of the last shapes. The cache holds at most two generations of this size, about two megabytes. */
const KEPT_MAX = 1_000;
/** Pictures by their shape: most accounts move little in a month, and their pictures are often the same. */
const pictures = createCache<Buffer>(KEPT_MAX);

/** The balance over the last days as an area, as a PNG file. */
export function drawBalances({ balances }: BalancePicture): Buffer {
  const shape = shapeOf(balances);
  const key = shape.toString('latin1');
  const known = pictures.get(key);
  if (known !== undefined) {
    return known;
  }
  const drawn = drawShape(shape);
  pictures.set(key, drawn);
  return drawn;
}

/** Everything that the picture depends on: the row of zero, then the row of the balance in each column. */
function shapeOf(balances: readonly number[]): Buffer {
  const lowest = Math.min(0, ...balances);
  const highest = Math.max(1, lowest + 1, ...balances);
  const inner = HEIGHT - 2 * PADDING;
  const rowOf = (value: number) => PADDING + Math.round(((highest - value) / (highest - lowest)) * inner);
  const shape = Buffer.alloc(1 + COLUMNS, rowOf(0));
  for (let column = 0; column < COLUMNS; column += 1) {
    shape[1 + column] = rowOf(valueAt(balances, column / (COLUMNS - 1)));
  }
  return shape;
}

function drawShape(shape: Buffer): Buffer {
  const pixels = new Uint8Array(WIDTH * HEIGHT);
  const [zero = 0, ...rows] = shape;
  let before = rows[0] ?? 0;
  for (const [column, row] of rows.entries()) {
    const left = PADDING + column;
    fill(pixels, left, { from: Math.min(row, zero), to: Math.max(row, zero), color: AREA });
    fill(pixels, left, { from: zero, to: zero + 1, color: ZERO });
    fill(pixels, left, { from: Math.min(row, before), to: Math.max(row, before) + STROKE, color: LINE });
    before = row;
  }
  return toPng({ width: WIDTH, height: HEIGHT, palette: PALETTE, pixels }, LEVEL);
}

/** The balance at a share of the time, on the straight line between two days. */
function valueAt(balances: readonly number[], share: number): number {
  const place = share * (balances.length - 1);
  const day = Math.floor(place);
  const one = balances[day] ?? 0;
  const other = balances[day + 1] ?? one;
  return one + (other - one) * (place - day);
}

function fill(
  pixels: Uint8Array,
  column: number,
  { from, to, color }: { from: number; to: number; color: number | undefined },
): void {
  for (let row = Math.max(0, from); row < Math.min(HEIGHT, to); row += 1) {
    pixels[row * WIDTH + column] = color ?? 0;
  }
}
