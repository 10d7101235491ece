import { sans } from '../components/font-families.ts';

/** The sizes and weights of the text on the first screens, in pixels. */
export const FONTS: readonly (readonly [size: number, weights: readonly number[]])[] = [
  [12, [400, 550]],
  [13, [400, 550]],
  [14, [400, 450, 500, 550, 600, 700]],
  [15, [400, 550, 600, 650]],
  [16, [400, 650, 700]],
  [17, [650]],
  [24, [650]],
  [26, [680]],
];

/**
 * Draws a few invisible letters in each font of the first screens, so that the browser finds the fonts of the system while the
 * main thread is idle. On a slow machine each size and weight takes milliseconds.
 */
export function loadFonts(): void {
  const sample = document.createElement('div');
  Object.assign(sample.style, { position: 'absolute', visibility: 'hidden', fontFamily: sans });
  for (const [size, weights] of FONTS) {
    for (const weight of weights) {
      const text = document.createElement('span');
      Object.assign(text.style, { fontSize: `${size}px`, fontWeight: String(weight) });
      text.textContent = 'Aa 0−';
      sample.append(text);
    }
  }
  document.documentElement.append(sample);
  // Reading a size makes the browser lay out the text.
  sample.getBoundingClientRect();
  sample.remove();
}
