import type { Type as TypeBox } from 'typebox';

/**
 * TypeBox's builders for the kinds of schema we use. The types are TypeBox's own; the implementation is ours, because
 * loading the library takes a tenth of a second and over ten megabytes, and a schema is only the object built here.
 */
type Builders = Pick<
  typeof TypeBox,
  | 'Array'
  | 'Boolean'
  | 'Integer'
  | 'Literal'
  | 'Null'
  | 'Number'
  | 'Object'
  | 'Optional'
  | 'Record'
  | 'String'
  | 'Unknown'
  | 'Unsafe'
>;

const optionals = new WeakSet<object>();

function optional(schema: object): object {
  const copy = { ...schema };
  optionals.add(copy);
  return copy;
}

function object(properties: Record<string, object>, options?: object): object {
  const required = Object.keys(properties).filter((name) => !optionals.has(properties[name] ?? {}));
  return { type: 'object', ...(required.length > 0 && { required }), properties, ...options };
}

const builders = {
  Array: (items: object, options?: object) => ({ type: 'array', items, ...options }),
  Boolean: (options?: object) => ({ type: 'boolean', ...options }),
  Integer: (options?: object) => ({ type: 'integer', ...options }),
  Literal: (value: unknown, options?: object) => ({ type: typeof value, const: value, ...options }),
  Null: (options?: object) => ({ type: 'null', ...options }),
  Number: (options?: object) => ({ type: 'number', ...options }),
  Object: object,
  Optional: optional,
  Record: (_key: object, value: object, options?: object) => ({
    type: 'object',
    patternProperties: { '^.*$': value },
    ...options,
  }),
  String: (options?: object) => ({ type: 'string', ...options }),
  Unknown: (options?: object) => ({ ...options }),
  Unsafe: (schema: object) => schema,
};

// A test compares these schemas with those of TypeBox.
export const Type = builders as unknown as Builders;

export function nullable<Value>(schema: { type: string } & Record<string, unknown>) {
  return Type.Unsafe<Value | null>({ ...schema, type: [schema.type, 'null'] });
}
