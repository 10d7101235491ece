import { setupI18n } from '@lingui/core';
import { language } from './languages.ts';
import { loadedTexts } from './load-texts.ts';

/** Gives every message its text in the page's language. The macros of Lingui call it. */
export const i18n = setupI18n({ locale: language, messages: { [language]: loadedTexts } });

// The build compiles every message (see texts-plugin.ts): a message that is still a string has no placeholders.
i18n.setMessagesCompiler((message) => [message]);
