import { noteTextsLoaded } from './first-texts.ts';
import { language } from './languages.ts';

// Imports no library, because the chunk of the first requests has it.

/** The texts of the page's language that are loaded, by the ids of the messages. Empty in English, which is in the code. */
export const loadedTexts: Record<string, string> = {};

const loads = new Map<string, Promise<void>>();

declare global {
  interface Window {
    /** The address of a file with texts: those of a page, or of code that is loaded later. Set by `boot.ts`. */
    textAddress: (unit: string) => string;
  }
}

/** Resolves when the texts of the first page are there; undefined in English. */
export function firstTexts(): Promise<void> | undefined {
  return window.firstTexts && addTexts(window.firstTexts).then(noteTextsLoaded);
}

/** Code that is loaded later, together with its texts. The build adds calls of this to every `import()`. */
export function withTexts<Code>(code: Promise<Code>, unit: string): Promise<Code> {
  if (language === 'en') return code;
  const load = loads.get(unit) ?? addTexts(fetch(window.textAddress(unit)));
  loads.set(unit, load);
  return Promise.all([code, load]).then(([loaded]) => loaded);
}

/** Texts that cannot be loaded stay in English: that is better than no page. */
async function addTexts(request: Promise<Response>): Promise<void> {
  try {
    const response = await request;
    if (response.ok) Object.assign(loadedTexts, await response.json());
  } catch {
    // See above.
  }
}
