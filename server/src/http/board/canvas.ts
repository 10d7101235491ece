import { type Picture, toPng } from '../../png.ts';
import type { Segment } from './stroke-font.ts';

/** Shades between the background and a colour, for smooth edges. */
const SHADES = 15;

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

  /** The darkest shade of a pixel counts, so that lines that meet have no seams. */
  function shade(index: number, color: number, coverage: number): void {
    const level = Math.min(SHADES, Math.round(coverage * SHADES));
    if (level === 0) {
      return;
    }
    const base = color * SHADES;
    const present = pixels[index] ?? 0;
    const isOfColor = present > base && present <= base + SHADES;
    if (!isOfColor || present < base + level) {
      pixels[index] = base + level;
    }
  }

  function strokeOne([fromX, fromY, toX, toY]: Segment, reach: number, color: number): void {
    const [stepX, stepY] = [toX - fromX, toY - fromY];
    const length = stepX * stepX + stepY * stepY || 1;
    const lastRow = Math.min(height - 1, Math.ceil(Math.max(fromY, toY) + reach + 1));
    const lastColumn = Math.min(width - 1, Math.ceil(Math.max(fromX, toX) + reach + 1));
    for (let row = Math.max(0, Math.floor(Math.min(fromY, toY) - reach - 1)); row <= lastRow; row += 1) {
      const first = Math.max(0, Math.floor(Math.min(fromX, toX) - reach - 1));
      for (let column = first; column <= lastColumn; column += 1) {
        const [x, y] = [column + 0.5, row + 0.5];
        const along = Math.min(1, Math.max(0, ((x - fromX) * stepX + (y - fromY) * stepY) / length));
        const distance = Math.hypot(x - fromX - along * stepX, y - fromY - along * stepY);
        shade(row * width + column, color, Math.min(1, Math.max(0, reach + 0.5 - distance)));
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
    toPng: () => toPng({ width, height, palette, pixels }),
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
