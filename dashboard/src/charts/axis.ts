import { lazily } from '../components/lazily.ts';
import { language } from '../texts/languages.ts';

const compact = lazily(
  () =>
    new Intl.NumberFormat(language, {
      notation: 'compact',
      maximumFractionDigits: 1,
      // Like the sums beside it, also where a language would write 4000.
      useGrouping: 'always',
    }),
);

/** A short number for an axis, with a real minus sign. */
export function axisNumber(value: number): string {
  return compact().format(value).replace('-', '−');
}

/** At most `countMax` entries, evenly spaced and starting with the first, so that labels do not overlap. */
export function spreadTicks<Entry>(entries: readonly Entry[], countMax: number): Entry[] {
  const step = Math.max(1, Math.ceil(entries.length / countMax));
  return entries.filter((_, index) => index % step === 0);
}

const digitWidth = 7;
const wideLetterWidth = 12;
const labelGap = 10;

/** The labels that do not touch the one before. Positions are shares of the width in pixels, in ascending order. */
export function fittingLabels<Label extends { at: number; label: string }>(
  labels: readonly Label[],
  width: number,
): Label[] {
  const fitting: Label[] = [];
  let end = Number.NEGATIVE_INFINITY;
  for (const one of labels) {
    const half = labelWidth(one.label) / 2;
    if (one.at * width - half < end + labelGap) continue;
    fitting.push(one);
    end = one.at * width + half;
  }
  return fitting;
}

/** About the width of a label in pixels. The letters of East Asian languages are wider than others. */
export function labelWidth(label: string): number {
  return [...label].reduce((sum, letter) => sum + (letter > '\u2e80' ? wideLetterWidth : digitWidth), 0);
}

/** Round numbers from below the lowest value to above the highest one, including zero: 0, 500, 1,000. */
export function roundTicks(lowest: number, highest: number, countMax: number): number[] {
  const [low, high] = [Math.min(0, lowest), Math.max(0, highest)];
  if (low === high) return [0, 1];
  const rough = (high - low) / Math.max(1, countMax - 1);
  const power = 10 ** Math.floor(Math.log10(rough));
  const step =
    [1, 2, 5, 10].map((factor) => factor * power).find((one) => one >= rough * 0.999) ?? 10 * power;
  const first = Math.floor(low / step);
  const last = Math.ceil(high / step);
  // Multiplied instead of added up, so that rounding errors do not accumulate.
  return Array.from({ length: last - first + 1 }, (_, index) =>
    Number(((first + index) * step).toPrecision(12)),
  );
}
