import { DomainError } from '../domain/errors.ts';
import type { Route } from './endpoint.ts';
import { createCacheByQuery, parseQueryString } from './query-string.ts';
import type { HttpRequest } from './request.ts';

/** Lists the query parameters of a request that the route does not know and therefore ignored. */
export const UNKNOWN_PARAMETERS_HEADER = 'X-Unknown-Parameters';

/** At most this many names are listed, and each is cut off at this length. */
const NAMES_MAX = 10;
const NAME_LENGTH_MAX = 64;

type RouteQuery = Pick<Route, 'query' | 'unknownParameters'>;

/**
 * Checks the names of query parameters as `unknownParameters` of the route says: throws when they are refused, adds the header
 * when they are named. Undefined where they are ignored. A request without a query string costs nothing.
 */
export function createUnknownCheck(route: RouteQuery): ((request: HttpRequest) => void) | undefined {
  const { unknownParameters = 'refused' } = route;
  if (unknownParameters === 'ignored') {
    return undefined;
  }
  const known = Object.keys(route.query?.properties ?? {});
  const readUnknown = createCacheByQuery((text) => unknownNames(text, known));
  return ({ queryText, answerHeaders }) => {
    const unknown = queryText === '' ? '' : readUnknown(queryText);
    if (unknown === '') {
      return;
    }
    if (unknownParameters === 'refused') {
      throw new DomainError('unknown_parameter', { detail: describeUnknown(unknown, route) });
    }
    answerHeaders.push(UNKNOWN_PARAMETERS_HEADER.toLowerCase(), unknown);
  };
}

/** The variable part of the message: the unknown names, and the names that the route knows. */
export function describeUnknown(unknown: string, { query }: RouteQuery): string {
  const known = Object.keys(query?.properties ?? {}).join(', ');
  return `${unknown} (${known === '' ? 'this route takes none' : `known: ${known}`})`;
}

/**
 * Names that are not known, separated by commas. They come from the request and go into a header and a message, so every
 * character other than letters, digits and `_.~-` becomes a question mark.
 */
function unknownNames(text: string, known: readonly string[]): string {
  return Object.keys(parseQueryString(text))
    .filter((name) => !known.includes(name))
    .slice(0, NAMES_MAX)
    .map((name) => name.slice(0, NAME_LENGTH_MAX).replaceAll(/[^\w.~-]/g, '?') || '?')
    .join(', ');
}
