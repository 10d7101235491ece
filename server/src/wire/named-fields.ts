import type { TSchema } from 'typebox';

/** The keywords of a JSON schema that name fields. */
interface Shape {
  properties?: Record<string, Shape>;
  additionalProperties?: Shape | boolean;
  items?: Shape;
  anyOf?: readonly Shape[];
}

/** Returns a checked value without the fields that its schema does not name. */
export type KeepNamed = (value: unknown) => unknown;

/**
 * Removes unknown fields before the handler gets the value: a handler may pass a whole body on, and a field that the
 * schema does not name could have a meaning there. Returns undefined when the schema describes no objects. A value
 * without unknown fields is returned without a copy.
 */
export function createKeepNamed(schema: TSchema): KeepNamed | undefined {
  // Every wire schema is plain JSON schema.
  return keepNamedIn(schema as Shape);
}

function keepNamedIn(shape: Shape): KeepNamed | undefined {
  const { properties, additionalProperties, items, anyOf } = shape;
  if (items !== undefined) {
    const keepItem = keepNamedIn(items);
    return keepItem && ((value) => (Array.isArray(value) ? keepInList(value, keepItem) : value));
  }
  if (anyOf !== undefined) {
    return keepNamedInAny(anyOf);
  }
  // Objects with free names, such as metadata, describe all their fields by one schema.
  const isFree = typeof additionalProperties === 'object';
  if (properties === undefined || isFree) {
    return undefined;
  }
  const fields = new Map(Object.entries(properties).map(([name, field]) => [name, keepNamedIn(field)]));
  return (value) => (isObject(value) ? keepInObject(value, fields) : value);
}

/**
 * The validation has found that one of the alternatives matches, but not which. So every field that any of them names
 * is kept.
 */
function keepNamedInAny(alternatives: readonly Shape[]): KeepNamed | undefined {
  const objects = alternatives.filter(({ properties }) => properties !== undefined);
  const properties = Object.assign({}, ...objects.map((shape) => shape.properties));
  return objects.length === 0 ? undefined : keepNamedIn({ properties });
}

function keepInList(list: readonly unknown[], keepItem: KeepNamed): readonly unknown[] {
  const kept = list.map(keepItem);
  return kept.every((item, index) => item === list[index]) ? list : kept;
}

function keepInObject(
  value: Readonly<Record<string, unknown>>,
  fields: ReadonlyMap<string, KeepNamed | undefined>,
): object {
  for (const name in value) {
    const isKept = fields.has(name) && keep(value[name], fields.get(name)) === value[name];
    if (!isKept) {
      return copyNamed(value, fields);
    }
  }
  return value;
}

function copyNamed(
  value: Readonly<Record<string, unknown>>,
  fields: ReadonlyMap<string, KeepNamed | undefined>,
): object {
  const named = Object.entries(value).filter(([name]) => fields.has(name));
  return Object.fromEntries(named.map(([name, field]) => [name, keep(field, fields.get(name))]));
}

function keep(value: unknown, keepNamed: KeepNamed | undefined): unknown {
  return keepNamed === undefined ? value : keepNamed(value);
}

function isObject(value: unknown): value is Record<string, unknown> {
  return typeof value === 'object' && value !== null && !Array.isArray(value);
}
