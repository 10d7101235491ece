import type { SchemaNode } from './model.ts';

// A schema that contains itself would otherwise never end.
const depthMax = 4;

/** A value of the right shape, for bodies without an example in the document. */
export function sampleOf(schema: SchemaNode, depth = 0): unknown {
  if (schema.example !== undefined) return schema.example;
  if (depth >= depthMax) return sampleOfType(schema);
  if (schema.fields.length > 0) {
    return Object.fromEntries(
      schema.fields.map(({ name, schema: field }) => [name, sampleOf(field, depth + 1)]),
    );
  }
  if (schema.item) return [sampleOf(schema.item, depth + 1)];
  const [variant] = schema.variants;
  return variant ? sampleOf(variant, depth + 1) : sampleOfType(schema);
}

function sampleOfType({ types }: SchemaNode): unknown {
  switch (types[0]) {
    case 'boolean':
      return true;
    case 'integer':
    case 'number':
      return 1;
    case 'array':
      return [];
    case 'object':
    case 'any':
      return {};
    case 'null':
      return null;
    case 'date-time':
      return '2026-01-31T12:00:00.000Z';
    case 'date':
      return '2026-01-31';
    case 'uuid':
      return '00000000-0000-7000-8000-000000000000';
    default:
      return 'string';
  }
}
