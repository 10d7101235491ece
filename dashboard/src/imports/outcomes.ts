import { groupCount } from '../components/money.ts';

export type ImportOutcome = 'created' | 'updated' | 'unchanged' | 'exists' | 'unknown';

const words: Record<ImportOutcome, string> = {
  created: 'added',
  updated: 'replaced',
  unchanged: 'unchanged',
  exists: 'left as they were',
  unknown: 'unknown',
};

/** "12 added, 3 left as they were". */
export function importSummary(outcomes: readonly ImportOutcome[]): string {
  const parts = Object.entries(words).flatMap(([outcome, word]) => {
    const count = outcomes.filter((one) => one === outcome).length;
    return count === 0 ? [] : [`${groupCount(count)} ${word}`];
  });
  return `${parts.join(', ')}.`;
}

/** A random UUID. Not `randomUUID`, which browsers offer only over https. */
export function newId(): string {
  const bytes = crypto.getRandomValues(new Uint8Array(16));
  // The bits of version 4 and of the variant.
  const marked = bytes.map((byte, index) =>
    index === 6 ? (byte & 0x0f) | 0x40 : index === 8 ? (byte & 0x3f) | 0x80 : byte,
  );
  const digits = [...marked].map((byte) => byte.toString(16).padStart(2, '0')).join('');
  return digits.replace(/^(.{8})(.{4})(.{4})(.{4})(.{12})$/, '$1-$2-$3-$4-$5');
}
