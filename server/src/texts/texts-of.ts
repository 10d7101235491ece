import { de } from './de.ts';
import { en } from './en.ts';
import { es } from './es.ts';
import { fr } from './fr.ts';
import { ja } from './ja.ts';
import { type Language, USUAL_LANGUAGE } from './language.ts';
import { ptBr } from './pt-br.ts';
import type { Texts } from './texts.ts';

export const TEXTS: Readonly<Record<Language, Texts>> = { en, de, es, fr, ja, 'pt-BR': ptBr };

/** The texts of a guild. */
export function textsOf({ language }: { language: Language | undefined }): Texts {
  return TEXTS[language ?? USUAL_LANGUAGE];
}
