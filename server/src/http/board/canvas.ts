import { type Picture, toPng } from '../../png.ts';
import type { Segment } from './stroke-font.ts';

/** Shades between the background and a colour, for smooth edges. */
const SHADES = 15;

/** Compression takes 2 ms instead of 5 ms, for a third more bytes. */
const LEVEL = 3;

export interface Canvas {
  /** Fills a rectangle with a colour, by its place in the list of colours. */
  fill(area: { left: number; top: number; width: number; height: number }, color: number): void;
  /** Draws lines with round ends over the background. */
  stroke(segments: readonly Segment[], width: number, color: number): void;
  toPng(): Buffer;
}

/** A picture of a background and a few colours. */
export function createCanvas(
  { width, height }: Pick<Picture, 'width' | 'height'>,
  background: number,
  colors: readonly number[],
): Canvas {
  const pixels = new Uint8Array(width * height);
  const palette = [background, ...colors.flatMap((color) => shadesOf(background, color))];

  /** Shades the pixels near a line. Where lines meet, the stronger shade of a pixel counts, so that there are no seams. */
  function strokeOne([fromX, fromY, toX, toY]: Segment, reach: number, color: number): void {
    const stepX = toX - fromX;
    const stepY = toY - fromY;
    const length = stepX * stepX + stepY * stepY || 1;
    const base = color * SHADES;
    const top = Math.max(0, Math.floor(Math.min(fromY, toY) - reach - 1));
    const bottom = Math.min(height - 1, Math.ceil(Math.max(fromY, toY) + reach + 1));
    const left = Math.max(0, Math.floor(Math.min(fromX, toX) - reach - 1));
    const right = Math.min(width - 1, Math.ceil(Math.max(fromX, toX) + reach + 1));
    for (let row = top; row <= bottom; row += 1) {
      const y = row + 0.5 - fromY;
      for (let column = left; column <= right; column += 1) {
        const x = column + 0.5 - fromX;
        const along = Math.min(1, Math.max(0, (x * stepX + y * stepY) / length));
        const awayX = x - along * stepX;
        const awayY = y - along * stepY;
        const coverage = reach + 0.5 - Math.sqrt(awayX * awayX + awayY * awayY);
        const shade = base + Math.round(Math.min(1, coverage) * SHADES);
        const index = row * width + column;
        const present = pixels[index] ?? 0;
        const isOfColor = present > base && present <= base + SHADES;
        if (shade > base && (!isOfColor || present < shade)) {
          pixels[index] = shade;
        }
      }
    }
  }

  return {
    fill(area, color) {
      const left = Math.max(0, Math.round(area.left));
      const right = Math.min(width, Math.round(area.left + area.width));
      const bottom = Math.min(height, Math.round(area.top + area.height));
      for (let row = Math.max(0, Math.round(area.top)); row < bottom; row += 1) {
        pixels.fill((color + 1) * SHADES, row * width + left, row * width + right);
      }
    },
    stroke(segments, thickness, color) {
      for (const segment of segments) {
        strokeOne(segment, thickness / 2, color);
      }
    },
    toPng: () => toPng({ width, height, palette, pixels }, LEVEL),
  };
}

function shadesOf(background: number, color: number): number[] {
  const part = (of: number, shift: number) => (of >> shift) & 255;
  return Array.from({ length: SHADES }, (_, index) => {
    const share = (index + 1) / SHADES;
    return [16, 8, 0].reduce((sum, shift) => {
      const mixed = Math.round(part(background, shift) * (1 - share) + part(color, shift) * share);
      return sum | (mixed << shift);
    }, 0);
  });
}
