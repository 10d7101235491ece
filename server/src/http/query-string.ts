import { parse } from 'node:querystring';

/**
 * Parses a query string so that schemas can validate it: a repeated parameter becomes an array, and a nested one
 * (`category[a]=1`, `category[]=1`) an object under its own name, instead of hiding under an unknown one.
 */
export function parseQueryString(text: string): Record<string, unknown> {
  const flat = parse(text, '&', '=', { maxKeys: 0 });
  const query: Record<string, unknown> = Object.create(null);
  for (const [name, value] of Object.entries(flat)) {
    const bracket = name.indexOf('[');
    if (bracket > 0) {
      query[name.slice(0, bracket)] = { nested: value };
    } else {
      query[name] ??= value;
    }
  }
  return query;
}

/** Query strings whose results are cached. When there are more, the cache is emptied and fills again. */
const QUERIES_MAX = 2_000;
/** A query string without encoding, nesting or anything else that could be read in two ways. */
const PLAIN_QUERY = /^[\w.:~&=-]{0,256}$/;

/** Keeps the results of a function of query strings, because most requests repeat earlier ones. Failures are not kept. */
export function createCacheByQuery<Result>(compute: (text: string) => Result): (text: string) => Result {
  const known = new Map<string, Result>();
  return (text) => {
    const cached = known.get(text);
    if (cached !== undefined) {
      return cached;
    }
    const result = compute(text);
    if (PLAIN_QUERY.test(text)) {
      if (known.size >= QUERIES_MAX) {
        known.clear();
      }
      known.set(text, result);
    }
    return result;
  };
}

/** Returns true when every `%` of an address begins a sequence that decodes to UTF-8 text. */
export function isProperlyEncoded(url: string): boolean {
  if (!url.includes('%')) {
    return true;
  }
  try {
    decodeURIComponent(url);
    return true;
  } catch {
    return false;
  }
}
