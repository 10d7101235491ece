/** An object of a JSON document. */
export type Json = Record<string, unknown>;

export function asObject(value: unknown, what: string): Json {
  if (typeof value !== 'object' || value === null || Array.isArray(value)) {
    throw new Error(`${what} is not an object`);
  }
  // An object that is no array: each field is checked where it is read.
  return value as Json;
}

/** The object under a key; an absent one is empty. */
export function objectAt(holder: Json, key: string): Json {
  return holder[key] === undefined ? {} : asObject(holder[key], key);
}

export function listAt(holder: Json, key: string): unknown[] {
  const list = holder[key];
  return Array.isArray(list) ? list : [];
}
