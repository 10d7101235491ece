import { type Picture, toPng } from '../../png.ts';

export const PICTURE_PATH = /^\/pictures\/(avatars|icons)\/([^/]+)\/([0-9a-f]{32})\.png$/;
export const PICTURE_TEMPLATE = '/pictures/{kind}/{id}/{hash}.png';

const SIZE = 96;
const SHADES = 6;

/** Colours of a picture: the sky above and at the horizon, the sun, two hills. */
const SCENES: readonly (readonly [number, number, number, number, number])[] = [
  [0x2e4a7d, 0xf0b48a, 0xffe3a8, 0x4f6d8f, 0x27374d],
  [0x2f7f86, 0xcfe8d5, 0xfff4c7, 0x5c9a72, 0x2c5a48],
  [0x5b4a86, 0xf2a7a0, 0xffd9b0, 0x7a5a8c, 0x3a2d56],
  [0x9a4f43, 0xf6cf8e, 0xfff0cf, 0xb0683f, 0x5e3524],
  [0x3d6fa8, 0xd6ecf7, 0xffffff, 0x8fb2c9, 0x4a6b85],
  [0x20324a, 0x5f7f9c, 0xf3f0d8, 0x34526b, 0x182739],
];

/** Draws a small landscape, the same for the same hash, as a PNG file. */
export function drawPicture(hash: string): Buffer {
  const numbers = Array.from({ length: 8 }, (_, index) =>
    Number.parseInt(hash.slice(index * 4, index * 4 + 4), 16),
  );
  const [scene = 0, sunX = 0, sunY = 0, sunSize = 0, ...waves] = numbers;
  const [top, horizon, sun, far, near] = SCENES[scene % SCENES.length] ?? [0, 0, 0, 0, 0];
  const sky = Array.from({ length: SHADES }, (_, index) => mix(top, horizon, index / (SHADES - 1)));
  const disc = {
    x: SIZE * (0.25 + (sunX % 50) / 100),
    y: SIZE * (0.25 + (sunY % 20) / 100),
    radius: SIZE * (0.1 + (sunSize % 8) / 100),
  };
  const pixels = new Uint8Array(SIZE * SIZE);
  for (let y = 0; y < SIZE; y += 1) {
    for (let x = 0; x < SIZE; x += 1) {
      const isSun = Math.hypot(x - disc.x, y - disc.y) < disc.radius;
      const shade = Math.min(SHADES - 1, Math.floor((y / SIZE) * 1.5 * SHADES));
      const isNear = y > hill(x, 0.76, waves.slice(2));
      const isFar = y > hill(x, 0.6, waves);
      pixels[y * SIZE + x] = isNear ? SHADES + 2 : isFar ? SHADES + 1 : isSun ? SHADES : shade;
    }
  }
  const picture: Picture = { width: SIZE, height: SIZE, palette: [...sky, sun, far, near], pixels };
  return toPng(picture);
}

/** The height of a line of hills at one column, from the top. */
function hill(x: number, base: number, [phase = 0, length = 0]: readonly number[]): number {
  const wave = Math.sin((x / SIZE) * (3 + (length % 40) / 10) + (phase % 63) / 10);
  return SIZE * (base - 0.1 * wave);
}

function mix(one: number, other: number, part: number): number {
  const channel = (shift: number) => {
    const [from, to] = [(one >> shift) & 255, (other >> shift) & 255];
    return Math.round(from + (to - from) * part) << shift;
  };
  return channel(16) | channel(8) | channel(0);
}
