import type { LinguiConfig } from '@lingui/conf';
import { formatter } from '@lingui/format-po';

/** The files that have texts, and the catalogue of each language. */
const config: LinguiConfig = {
  rootDir: import.meta.dirname,
  sourceLocale: 'en',
  locales: ['en', 'de', 'es', 'fr', 'ja', 'pt-BR'],
  catalogs: [{ path: '<rootDir>/locales/{locale}', include: ['<rootDir>/src'] }],
  format: formatter({ lineNumbers: false }),
  orderBy: 'origin',
  macro: { jsxPlaceholderDefaults: { bdi: 'bdi', code: 'code', strong: 'strong' } },
  runtimeConfigModule: {
    i18n: ['#texts/i18n.ts', 'i18n'],
    Trans: ['#texts/Trans.tsx', 'Trans'],
  },
};

export default config;
