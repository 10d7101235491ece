import { GuildbookError } from './errors.ts';

/** Builds a path from a template and encodes the inserted values: path`/users/${query}`. */
export function path(texts: TemplateStringsArray, ...segments: string[]): string {
  return texts.reduce((before, text, index) => before + encodeSegment(segments[index - 1]) + text);
}

/** A query with its question mark, or an empty text. Undefined values are left out. */
export function query(values: Readonly<Record<string, string | number | undefined>>): string {
  const parameters = new URLSearchParams();
  for (const [name, value] of Object.entries(values)) {
    if (value !== undefined) {
      parameters.set(name, String(value));
    }
  }
  const text = parameters.toString();
  return text === '' ? '' : `?${text}`;
}

function encodeSegment(segment: string | undefined): string {
  // Every URL parser resolves these two as steps within the path, even when they are encoded, so they would request
  // another resource.
  if (typeof segment !== 'string' || segment === '.' || segment === '..') {
    throw new GuildbookError('bad-request', 'Bad request - an id must be a text other than "." and ".."');
  }
  try {
    return encodeURIComponent(segment);
  } catch (cause) {
    throw new GuildbookError('bad-request', 'Bad request - an id must be well-formed Unicode', { cause });
  }
}
