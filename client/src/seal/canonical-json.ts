// Copied from server/src/domain/seal by `npm run generate`; do not edit by hand.

/** A value that JSON can hold. */
export type Json = string | number | boolean | null | readonly Json[] | { readonly [name: string]: Json };

/**
 * The canonical form of RFC 8785: names in the order of their UTF-16 code units, no white space, and texts and numbers as
 * `JSON.stringify` writes them.
 */
export function canonicalJson(value: Json): string {
  if (typeof value !== 'object' || value === null) {
    return JSON.stringify(value);
  }
  if (isList(value)) {
    return `[${value.map(canonicalJson).join(',')}]`;
  }
  const fields = Object.entries(value)
    .sort(([one], [other]) => (one < other ? -1 : 1))
    .map(([name, field]) => `${JSON.stringify(name)}:${canonicalJson(field)}`);
  return `{${fields.join(',')}}`;
}

function isList(value: object): value is readonly Json[] {
  return Array.isArray(value);
}
