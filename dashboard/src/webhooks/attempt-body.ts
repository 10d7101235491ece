import type { Language } from '../components/highlight.ts';

/** A body for display: JSON with a line for each field, any other text as it is. */
export function readBody(text: string): { code: string; language: Language } {
  try {
    return { code: JSON.stringify(JSON.parse(text), null, 2), language: 'json' };
  } catch {
    return { code: text, language: 'text' };
  }
}
