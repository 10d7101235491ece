// Access to JSON of unknown shape: every function has a result, none throws.

export type JsonRecord = Record<string, unknown>;

export function isRecord(value: unknown): value is JsonRecord {
  return typeof value === 'object' && value !== null && !Array.isArray(value);
}

export function recordOf(value: unknown): JsonRecord {
  return isRecord(value) ? value : {};
}

export function listOf(value: unknown): unknown[] {
  return Array.isArray(value) ? value : [];
}

export function textOf(value: unknown): string {
  return typeof value === 'string' ? value : '';
}

export function stringsOf(value: unknown): string[] {
  return listOf(value).filter((entry) => typeof entry === 'string');
}

/** A value on one line, strings without quotes: for defaults, allowed values and form fields. */
export function shortText(value: unknown): string {
  return typeof value === 'string' ? value : JSON.stringify(value);
}

export function prettyText(value: unknown): string {
  return typeof value === 'string' ? value : JSON.stringify(value, null, 2);
}
