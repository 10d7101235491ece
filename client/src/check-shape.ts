export type Guard<Shape> = (value: unknown) => value is Shape;

/**
 * The kind of a field. With `?` the field may also be null or missing: older versions of the service do not send fields that were
 * added later. With `[]` it is a list of that kind.
 */
type Scalar = 'string' | 'number' | 'boolean' | 'object';
export type Kind = Scalar | `${Scalar}?` | `${Scalar}[]`;

/** Checks that a value has these fields. Further fields are accepted: the interface grows by additions. */
export function shape<Shape>(fields: Readonly<Record<string, Kind | Guard<unknown>>>): Guard<Shape> {
  const checks = Object.entries(fields).map(
    ([name, kind]) => [name, typeof kind === 'string' ? guardOf(kind) : kind] as const,
  );
  return (value): value is Shape => checks.every(([name, isRight]) => isRight(fieldOf(value, name)));
}

export function listOf<Item>(isItem: Guard<Item>): Guard<Item[]> {
  return (value): value is Item[] => Array.isArray(value) && value.every(isItem);
}

/** A field of a value; undefined when the value is no object or has no such field. */
export function fieldOf(value: unknown, name: string): unknown {
  return typeof value === 'object' && value !== null ? Reflect.get(value, name) : undefined;
}

function guardOf(kind: Kind): Guard<unknown> {
  const scalar = kind.replace(/\W+$/, '');
  const isScalar = (value: unknown): value is unknown => value !== null && typeof value === scalar;
  if (kind.endsWith('[]')) {
    return listOf(isScalar);
  }
  return kind.endsWith('?')
    ? (value): value is unknown => value === null || value === undefined || isScalar(value)
    : isScalar;
}
