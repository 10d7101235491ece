import { plural } from '@lingui/core/macro';
import { dateLanguage, language } from '../texts/languages.ts';
import { lazily } from './lazily.ts';

// English lists have no comma before the last "and", as in British English.
const conjunction = lazily(() => new Intl.ListFormat(dateLanguage, { type: 'conjunction' }));
const percent = lazily(() => new Intl.NumberFormat(language, { style: 'percent' }));
const milliseconds = lazily(() => new Intl.NumberFormat(language, { style: 'unit', unit: 'millisecond' }));

/** "Ada, Bo and Cy", or with a number of further names: "Ada, Bo and 3 more". */
export function listText(names: readonly string[], more = 0): string {
  const rest = more === 0 ? [] : [plural(more, { one: '# more', other: '# more' })];
  return conjunction().format([...names, ...rest]);
}

/** 12 as "12%". */
export function percentText(count: number): string {
  return percent().format(count / 100);
}

/** 1234 as "1,234 ms". */
export function millisecondsText(count: number): string {
  return milliseconds().format(count);
}
