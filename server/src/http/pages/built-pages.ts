import { existsSync } from 'node:fs';
import type { BaseLogger } from 'pino';

export const YEAR_SECONDS = 31_536_000;
export const NOSNIFF = ['x-content-type-options', 'nosniff'] as const;
/** Pages run only our own scripts and talk only to us. Styles are set inline by the component library. */
const PAGE_HEADERS = [
  'content-security-policy',
  "default-src 'self'; script-src 'self'; style-src 'self' 'unsafe-inline'; img-src 'self' data:; " +
    "connect-src 'self'; object-src 'none'; base-uri 'none'; form-action 'self'; frame-ancestors 'none'",
  ...NOSNIFF,
  'referrer-policy',
  'no-referrer',
] as const;

/** The built pages on this server. */
export interface Pages {
  /** The folder of the built pages. */
  root: string;
  /** False when nobody has built them yet: then their addresses do not exist. */
  isBuilt: boolean;
  headers: readonly string[];
}

interface PageParts {
  pagesRoot: string;
  /** True when the pages are served by https. They then send `strict-transport-security`. */
  isSecure: boolean;
  logger: BaseLogger;
}

export function findPages({ pagesRoot: root, isSecure, logger }: PageParts): Pages {
  const isBuilt = existsSync(root);
  if (!isBuilt) {
    logger.warn({ root }, 'the pages are not built: run "npm run build" to have /dashboard/ and /docs');
  }
  const security = isSecure ? ['strict-transport-security', `max-age=${YEAR_SECONDS}`] : [];
  return { root, isBuilt, headers: [...PAGE_HEADERS, ...security, 'cache-control', 'no-cache'] };
}
