import { readCatalogue } from '../../dashboard/read-catalogues.ts';

/** Translates a message of the pages, by its English text. A placeholder becomes any text. */
export type Translate = (english: string) => RegExp;

/** The texts of one language, as its catalogue has them. A message that the catalogue lacks is an error of the test. */
export async function readTranslations(language: string): Promise<Translate> {
  const entries = [...(await readCatalogue(language)).values()];
  const texts = new Map(entries.map(({ message, translation }) => [message, translation]));
  return (english) => {
    const text = texts.get(english);
    if (text === undefined) throw new Error(`The catalogue of ${language} has no message "${english}"`);
    const parts = text.split(/\{\w+\}/).map(RegExp.escape);
    return new RegExp(`^${parts.join('.*')}$`);
  };
}
