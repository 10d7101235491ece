import { sendFirst } from '../api/first-answers.ts';
import { guildsPath } from '../api/first-paths.ts';
import { firstPaths } from './first-view.ts';
import { type GuildPageName, guildPlaceOf } from './guild-place.ts';
import { loadFonts } from './load-fonts.ts';
import { loadFormats } from './load-formats.ts';
import { guildPageImports, pageImports } from './page-imports.ts';
import { sendAllowed } from './send-allowed.ts';

// Runs as soon as it has arrived, before the libraries (see vite.config.ts): the data and the code of the first page are requested
// in parallel with them. A failure here is without consequence, because the page requests both again.

/** The pages whose answers have their checks in the first script. */
const pagesOfFirstChecks: ReadonlySet<GuildPageName> = new Set<GuildPageName>(['overview', 'person', 'me']);
const place = guildPlaceOf(window.location.pathname);
for (const path of firstPaths(window.location)) {
  const answer = sendFirst(path);
  if (path === guildsPath && place?.page === 'overview') {
    sendAllowed(answer, place.guildId).catch(() => undefined);
  }
}
firstImport(window.location.pathname)?.().catch(() => undefined);
if (place && !pagesOfFirstChecks.has(place.page)) {
  import('virtual:reply-checks/others').catch(() => undefined);
}
// After the requests: until the libraries have arrived, the main thread is idle.
setTimeout(loadFormats);
setTimeout(loadFonts);

function firstImport(pathname: string): (() => Promise<unknown>) | undefined {
  if (pathname === '/dashboard/') return pageImports.guilds;
  if (pathname === '/dashboard/sign-in') return pageImports.signIn;
  return place && guildPageImports[place.page];
}
