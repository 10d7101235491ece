import { plural } from '@lingui/core/macro';

export type ImportOutcome = 'created' | 'updated' | 'unchanged' | 'exists' | 'unknown';

const words: Record<ImportOutcome, (count: number) => string> = {
  created: (count) => plural(count, { one: '# added', other: '# added' }),
  updated: (count) => plural(count, { one: '# replaced', other: '# replaced' }),
  unchanged: (count) => plural(count, { one: '# unchanged', other: '# unchanged' }),
  exists: (count) => plural(count, { one: '# left as they were', other: '# left as they were' }),
  unknown: (count) => plural(count, { one: '# unknown', other: '# unknown' }),
};

/** "12 added, 3 left as they were". */
export function importSummary(outcomes: readonly ImportOutcome[]): string {
  const parts = Object.entries(words).flatMap(([outcome, word]) => {
    const count = outcomes.filter((one) => one === outcome).length;
    return count === 0 ? [] : [word(count)];
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
