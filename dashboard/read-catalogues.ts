import { existsSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { formatter } from '@lingui/format-po';
import { compiled } from './inline-messages.ts';
import linguiConfig from './lingui.config.ts';

/** Compiled texts by the ids of their messages. */
export type Texts = Readonly<Record<string, unknown>>;

export interface CatalogueEntry {
  /** The English message. */
  message: string;
  /** Empty when it is not translated yet. */
  translation: string;
}

const po = formatter();
const sourceLanguage = linguiConfig.sourceLocale ?? 'en';

/** The languages besides English. */
export const otherLanguages: readonly string[] = linguiConfig.locales.filter(
  (locale) => locale !== sourceLanguage,
);

/** The entries of a catalogue by their ids; none when it does not exist yet. */
export async function readCatalogue(language: string): Promise<Map<string, CatalogueEntry>> {
  const filename = join(import.meta.dirname, 'locales', `${language}.po`);
  if (!existsSync(filename)) return new Map();
  const catalogue = await po.parse(readFileSync(filename, 'utf8'), {
    locale: language,
    sourceLocale: sourceLanguage,
    filename,
  });
  const entries = Object.entries(catalogue).filter(([, { obsolete }]) => !obsolete);
  return new Map(
    entries.map(([id, { message = '', translation = '' }]) => [id, { message, translation }] as const),
  );
}

/** The languages whose every message is translated, with their texts. */
export async function completeLanguages(): Promise<Map<string, Texts>> {
  const complete = new Map<string, Texts>();
  for (const language of otherLanguages) {
    const entries = [...(await readCatalogue(language))];
    if (entries.length === 0 || entries.some(([, { translation }]) => translation === '')) continue;
    complete.set(
      language,
      Object.fromEntries(entries.map(([id, { translation }]) => [id, compiled(translation)])),
    );
  }
  return complete;
}
