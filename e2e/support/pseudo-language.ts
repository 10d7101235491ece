import type { Page } from 'playwright-core';
import { compiled } from '../../dashboard/inline-messages.ts';
import { readCatalogue } from '../../dashboard/read-catalogues.ts';

/** The name of the language in dashboard/src/texts/languages.ts. */
const pseudoLanguage = 'en-XA';
/** Stands at both ends of every text, so that a test can wait for them. */
export const textMark = '¦';

/**
 * Shows the pages in a language whose every text is 40 % longer than in English. The build has none of it: the requests for its texts
 * are answered here. The page has to be loaded again.
 */
export async function usePseudoLanguage(page: Page): Promise<void> {
  const entries = [...(await readCatalogue('en'))];
  const texts = Object.fromEntries(entries.map(([id, { message }]) => [id, longer(compiled(message))]));
  await page.route(`**/assets/*.${pseudoLanguage}-*.json`, (route) => route.fulfill({ json: texts }));
  await page.evaluate((language) => localStorage.setItem('guildbook-language', language), pseudoLanguage);
}

/** Lengthens the texts of a compiled message, and those of each of its plural forms. */
function longer(message: unknown): unknown {
  if (typeof message === 'string') return `${textMark}${longerText(message)}${textMark}`;
  if (!Array.isArray(message)) return message;
  return [textMark, ...message.map(longerToken), textMark];
}

function longerToken(token: unknown): unknown {
  if (typeof token === 'string') return longerText(token);
  if (!Array.isArray(token) || typeof token[2] !== 'object' || token[2] === null) return token;
  const forms = Object.entries(token[2]).map(([form, inner]) => [
    form,
    Array.isArray(inner) ? inner.map(longerToken) : inner,
  ]);
  return [token[0], token[1], Object.fromEntries(forms)];
}

/** Words become longer, tags and the sign of a number stay. */
function longerText(text: string): string {
  return text
    .split(/(<[^>]*>)/)
    .map((part) => (part.startsWith('<') ? part : part.replace(/\p{L}{2,}/gu, longerWord)))
    .join('');
}

function longerWord(word: string): string {
  return `${word}${'ö'.repeat(Math.ceil(word.length * 0.4))}`;
}
