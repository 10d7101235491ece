import { inflateSync } from 'node:zlib';
import { expect, test } from 'vitest';
import { drawBalances } from '../../src/chat-platform/discord/balance-chart.ts';
import { toPng } from '../../src/png.ts';

test('a picture of up to four colours has two bits for each pixel, and every pixel has its colour', () => {
  const pixels = Uint8Array.from([0, 1, 2, 3, 3, 2, 1, 0, 3, 3]);
  const png = toPng({ width: 5, height: 2, palette: [0x000000, 0x111111, 0x222222, 0x333333], pixels });
  expect(png[bitDepthAt]).toBe(2);
  // A row has the number of its filter and two bytes; the pixels after the fifth are unused.
  expect([...dataOf(png)]).toEqual([0, 0b00011011, 0b11000000, 0, 0b10010011, 0b11000000]);
});

test('a picture of more colours has a byte for each pixel', () => {
  const png = toPng({ width: 2, height: 2, palette: [1, 2, 3, 4, 5], pixels: Uint8Array.from([4, 3, 2, 1]) });
  expect(png[bitDepthAt]).toBe(8);
  expect([...dataOf(png)]).toEqual([0, 4, 3, 0, 2, 1]);
});

test('the line of a balance goes through its days', () => {
  const rising = columnsOf(drawBalances({ balances: [0, 50, 100] }));
  const [first, middle, last] = [rising(PADDING), rising(WIDTH / 2), rising(WIDTH - PADDING - 1)];
  expect(first.indexOf(LINE)).toBe(HEIGHT - PADDING);
  expect(middle.indexOf(LINE)).toBeCloseTo(HEIGHT / 2, -1);
  expect(last.indexOf(LINE)).toBe(PADDING);
});

/** The place of the bit depth: after the signature, the length and the name of the header, the width and the height. */
const bitDepthAt = 24;
const WIDTH = 360;
const HEIGHT = 90;
const PADDING = 8;
const LINE = 3;

function dataOf(png: Buffer): Buffer {
  const start = png.indexOf('IDAT') + 4;
  return inflateSync(png.subarray(start, start + png.readUInt32BE(start - 8)));
}

/** Reads the colours of a column, from top to bottom. */
function columnsOf(png: Buffer): (column: number) => number[] {
  const data = dataOf(png);
  const rowBytes = 1 + WIDTH / 4;
  return (column) =>
    Array.from({ length: HEIGHT }, (_unused, row) => {
      const four = data[row * rowBytes + 1 + (column >> 2)] ?? 0;
      return (four >> (6 - 2 * (column & 3))) & 3;
    });
}
