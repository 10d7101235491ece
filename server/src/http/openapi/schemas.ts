import type { TObject, TSchema } from 'typebox';
import { DOCUMENTED_AS, DOCUMENTED_RULES, FORMAT_PATTERNS } from '../../wire/validation.ts';
import { NAMES } from './named-schemas.ts';

type Json = Record<string, unknown>;

/** A schema as the document shows it: by reference where it has a name. */
export function describe(schema: TSchema): Json {
  const name = NAMES.get(schema);
  return name === undefined ? describeFields(schema) : { $ref: `#/components/schemas/${name}` };
}

export function describeFields(schema: TSchema): Json {
  const { properties, items, 'x-type-error': _internal, 'x-rule': _rule, ...own } = schema as Json;
  const { [DOCUMENTED_RULES]: rules, ...rest } = own;
  const documented = rest[DOCUMENTED_AS] as TSchema | undefined;
  if (documented !== undefined) {
    return describe(documented);
  }
  const { format, pattern = FORMAT_PATTERNS[String(format)] } = rest;
  return {
    ...rest,
    ...(pattern !== undefined && { pattern }),
    ...(rules as Json | undefined),
    ...(typeof rest.additionalProperties === 'object' && {
      additionalProperties: describe(rest.additionalProperties as TSchema),
    }),
    ...(properties !== undefined && {
      properties: Object.fromEntries(
        Object.entries(properties as Record<string, TSchema>).map(([name, field]) => [name, describe(field)]),
      ),
    }),
    ...(items !== undefined && { items: describe(items as TSchema) }),
    ...(Array.isArray(rest.anyOf) && { anyOf: rest.anyOf.map(describe) }),
  };
}

interface ExampleSchema {
  examples?: readonly unknown[];
  items?: TSchema;
  properties?: Record<string, TSchema>;
}

/** The schema's own first example, or one made of those of its required fields, as deep as the schema goes. */
export function exampleOf(schema: TSchema): unknown {
  const { examples, items, properties } = ((schema as Json)[DOCUMENTED_AS] ?? schema) as ExampleSchema;
  if (examples !== undefined) {
    return examples[0];
  }
  if (items !== undefined) {
    return [exampleOf(items)];
  }
  if (properties === undefined) {
    return undefined;
  }
  return Object.fromEntries(
    requiredNames(((schema as Json)[DOCUMENTED_AS] ?? schema) as TObject).map((name) => [
      name,
      exampleOf(properties[name] ?? {}),
    ]),
  );
}

export function requiredNames(schema: TObject | undefined): readonly string[] {
  return schema?.required ?? [];
}
