// Answers are read here, once: what leaves these functions has the shape its type states.

export function isRecord(value: unknown): value is Record<string, unknown> {
  return typeof value === 'object' && value !== null && !Array.isArray(value);
}

export function readRecord(value: unknown): Record<string, unknown> {
  return isRecord(value) ? value : {};
}

export function readRecords(value: unknown): Record<string, unknown>[] {
  return Array.isArray(value) ? value.filter(isRecord) : [];
}

export function readText(value: unknown): string {
  return typeof value === 'string' ? value : '';
}

export function readOptionalText(value: unknown): string | null {
  return typeof value === 'string' && value !== '' ? value : null;
}

export function readTexts(value: unknown): string[] {
  return Array.isArray(value) ? value.filter((entry) => typeof entry === 'string') : [];
}

/** One of a closed list; anything else becomes the fallback, which should be the most careful choice. */
export function readChoice<Choice extends string>(
  value: unknown,
  choices: readonly Choice[],
  fallback: Choice,
): Choice {
  return choices.find((choice) => choice === value) ?? fallback;
}

/** A whole number from 0 up; anything else becomes 0. */
export function readCount(value: unknown): number {
  return typeof value === 'number' && Number.isSafeInteger(value) && value > 0 ? value : 0;
}

/** An amount, which comes as a number with at most four decimal places, as a decimal text. */
export function readDecimal(value: unknown): string {
  return typeof value === 'number' && Number.isFinite(value) ? String(value) : '0';
}
