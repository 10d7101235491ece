import { globSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { otherLanguages, readCatalogue } from '../dashboard/read-catalogues.ts';
import { translationFault } from './texts/check-translations.ts';
import { findOutsideTexts } from './texts/outside-texts.ts';

// Checks the texts of the dashboard: none is outside of the catalogues, a translated language has all of them, and every
// translation has the placeholders and the plural forms of its message. `scripts/generated.ts` checks that the catalogues have exactly the messages of the code.

const sources = join(import.meta.dirname, '../dashboard/src');
/** The words of the interface's description and its samples stay in English: they are the contract. */
const EXCEPT = /^(?:docs\/re(?:ference|quest)\/|texts\/|components\/theme\.ts|.*\.d\.ts$)/;

const faults: string[] = [];
for (const file of globSync('**/*.{ts,tsx}', { cwd: sources }).sort()) {
  if (EXCEPT.test(file)) continue;
  faults.push(...findOutsideTexts(file, readFileSync(join(sources, file), 'utf8')));
}
for (const language of otherLanguages) {
  const entries = [...(await readCatalogue(language)).values()];
  const missing = entries.filter(({ translation }) => translation === '');
  // A language that nobody has begun yet is not offered.
  if (missing.length > 0 && missing.length < entries.length) {
    faults.push(...missing.map(({ message }) => `${language}.po: not translated: ${message}`));
  }
  for (const { message, translation } of entries) {
    const fault = translation === '' ? undefined : translationFault(language, message, translation);
    if (fault !== undefined) faults.push(`${language}.po: ${fault}: ${translation}`);
  }
}
for (const fault of faults) console.error(fault);
if (faults.length > 0) process.exitCode = 1;
