import { crc32, deflateSync } from 'node:zlib';

const SIGNATURE = Buffer.from([0x89, 0x50, 0x4e, 0x47, 0x0d, 0x0a, 0x1a, 0x0a]);
const INDEXED = 3;
/** A palette of at most four colours needs two bits for a pixel, which makes compression four times as fast. */
const PACKED_COLORS_MAX = 4;

/** A picture with a palette. Each pixel is one byte, the index of its colour, row by row. */
export interface Picture {
  width: number;
  height: number;
  palette: readonly number[];
  pixels: Uint8Array;
}

/** Encodes the picture as a PNG file with a palette. A lower level takes less time and makes a larger file. */
export function toPng({ width, height, palette, pixels }: Picture, level = 6): Buffer {
  const header = Buffer.alloc(13);
  header.writeUInt32BE(width, 0);
  header.writeUInt32BE(height, 4);
  const isPacked = palette.length <= PACKED_COLORS_MAX;
  header.set([isPacked ? 2 : 8, INDEXED, 0, 0, 0], 8);
  const colors = Buffer.from(palette.flatMap((color) => [color >> 16, (color >> 8) & 255, color & 255]));
  const rows = isPacked ? packRows(pixels, width, height) : copyRows(pixels, width, height);
  return Buffer.concat([
    SIGNATURE,
    chunk('IHDR', header),
    chunk('PLTE', colors),
    chunk('IDAT', deflateSync(rows, { level })),
    chunk('IEND', Buffer.alloc(0)),
  ]);
}

/** The rows of the file. Each begins with the number of its filter: none. */
function copyRows(pixels: Uint8Array, width: number, height: number): Buffer {
  const rows = Buffer.alloc((width + 1) * height);
  for (let row = 0; row < height; row += 1) {
    rows.set(pixels.subarray(row * width, (row + 1) * width), row * (width + 1) + 1);
  }
  return rows;
}

/** The same with four pixels in a byte, the leftmost in its highest bits. */
function packRows(pixels: Uint8Array, width: number, height: number): Buffer {
  const rows = Buffer.alloc((1 + Math.ceil(width / 4)) * height);
  let place = 0;
  for (let first = 0; first < width * height; first += width) {
    rows[place++] = 0;
    const end = first + width;
    for (let at = first; at < end; at += 4) {
      // Past the last pixel of a row the bits are zero.
      const second = at + 1 < end ? (pixels[at + 1] ?? 0) : 0;
      const third = at + 2 < end ? (pixels[at + 2] ?? 0) : 0;
      const fourth = at + 3 < end ? (pixels[at + 3] ?? 0) : 0;
      rows[place++] = ((pixels[at] ?? 0) << 6) | (second << 4) | (third << 2) | fourth;
    }
  }
  return rows;
}

function chunk(type: string, data: Buffer): Buffer {
  const length = Buffer.alloc(4);
  length.writeUInt32BE(data.length);
  const body = Buffer.concat([Buffer.from(type, 'latin1'), data]);
  const sum = Buffer.alloc(4);
  sum.writeUInt32BE(crc32(body));
  return Buffer.concat([length, body, sum]);
}
