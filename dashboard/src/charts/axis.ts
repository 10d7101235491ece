const compact = new Intl.NumberFormat('en', { notation: 'compact', maximumFractionDigits: 1 });

/** Figures beside a picture: short, with a true minus sign. */
export function axisNumber(value: number): string {
  return compact.format(value).replace('-', '−');
}

/** At most so many of the entries, evenly spread and the first among them: labels that do not run together. */
export function spreadTicks<Entry>(entries: readonly Entry[], countMax: number): Entry[] {
  const step = Math.max(1, Math.ceil(entries.length / countMax));
  return entries.filter((_, index) => index % step === 0);
}
