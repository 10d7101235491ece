import { lazily } from '../../components/lazily.ts';
import { dateLanguage } from '../../texts/languages.ts';

// English lists have no comma before the last "or", as in British English.
const disjunction = lazily(() => new Intl.ListFormat(dateLanguage, { type: 'disjunction' }));

/** "string, number or null" */
export function choiceText(names: readonly string[]): string {
  return disjunction().format(names);
}
