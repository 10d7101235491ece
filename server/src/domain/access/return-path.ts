const HOME = '/dashboard/';
const API = '/dashboard/api/';
const LENGTH_MAX = 2_048;
/** Any origin works: a text that resolves to another origin leads away from the dashboard. */
const BASE = 'http://localhost';
const PLAIN = /^[!-~]+$/;

/**
 * The page of the dashboard that a sign-in returns to: the given path, or the first page. A text that could lead
 * anywhere else counts as not given: other origins, and dot segments that leave the dashboard. Browsers read
 * backslashes as slashes, and so does the parser: the returned path has none left.
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
