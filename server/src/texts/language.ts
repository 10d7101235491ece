/** The languages of channel messages, boards and chat replies. Answers of the interface are in English. */
export const LANGUAGES = ['en', 'de', 'es', 'fr', 'ja', 'pt-BR'] as const;
export type Language = (typeof LANGUAGES)[number];

/** The language of guilds that have chosen none. */
export const USUAL_LANGUAGE: Language = 'en';
