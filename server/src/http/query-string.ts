import { parse } from 'node:querystring';

/**
 * Reads a query string so that schemas can judge it: a repeated parameter becomes an array, and a nested one
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

/** Tells whether every `%` of an address begins a sequence that decodes to UTF-8 text. */
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
