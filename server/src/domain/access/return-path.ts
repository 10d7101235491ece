const HOME = '/dashboard/';
const API = '/dashboard/api/';
const LENGTH_MAX = 2_048;
/** Any origin will do: it shows whether the text leads away from it. */
const BASE = 'http://localhost';
const PLAIN = /^[!-~]+$/;

/**
 * Where a sign-in leads back to: the given page of the dashboard, or its first page. Whatever could lead anywhere else
 * counts as not given: other origins, and dot segments that climb out.
 * Browsers read backslashes as slashes, and so does the parser: the returned path has none left.
 */
export function returnPath(given: unknown): string {
  if (typeof given !== 'string' || given.length > LENGTH_MAX || !PLAIN.test(given)) {
    return HOME;
  }
  const url = given.startsWith(HOME) ? URL.parse(given, BASE) : null;
  if (url === null || url.origin !== BASE || !url.pathname.startsWith(HOME) || url.pathname.startsWith(API)) {
    return HOME;
  }
  return url.pathname + url.search + url.hash;
}
