import { plural, t } from '@lingui/core/macro';
import { listText } from '../components/language-formats.ts';

export type ImportOutcome = 'created' | 'updated' | 'unchanged' | 'exists' | 'unknown';

const words: Record<ImportOutcome, (count: number) => string> = {
  created: (count) =>
    t({
      message: plural(count, { one: '# added', other: '# added' }),
      context: 'entries of a file',
    }),
  updated: (count) =>
    t({
      message: plural(count, { one: '# replaced', other: '# replaced' }),
      context: 'entries of a file',
    }),
  unchanged: (count) =>
    t({
      message: plural(count, { one: '# unchanged', other: '# unchanged' }),
      context: 'entries of a file',
    }),
  exists: (count) =>
    t({
      message: plural(count, { one: '# left as it was', other: '# left as they were' }),
      context: 'entries of a file',
    }),
  unknown: (count) =>
    t({
      message: plural(count, { one: '# unknown', other: '# unknown' }),
      context: 'entries of a file',
    }),
};

/** "12 added and 3 left as they were." */
export function importSummary(outcomes: readonly ImportOutcome[]): string {
  const parts = Object.entries(words).flatMap(([kind, word]) => {
    const count = outcomes.filter((one) => one === kind).length;
    return count === 0 ? [] : [word(count)];
  });
  const outcome = listText(parts);
  return t`${outcome}.`;
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
