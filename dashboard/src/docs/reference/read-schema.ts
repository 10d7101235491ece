import { t } from '@lingui/core/macro';
import { choiceText } from './choice-text.ts';
import { isRecord, type JsonRecord, listOf, recordOf, shortText, stringsOf, textOf } from './json.ts';
import type { SchemaField, SchemaNode } from './model.ts';
import type { Resolver } from './pointers.ts';
import { limitsOf } from './read-limits.ts';

// Formats that are more informative for a reader than "string". A service's own formats are names of its rules,
// which the description states in words.
const knownFormats = new Set([
  'date-time',
  'date',
  'time',
  'duration',
  'uuid',
  'uri',
  'email',
  'ipv4',
  'ipv6',
]);

// Schemas may contain themselves. Below this depth only the type is shown.
const depthMax = 8;

export function readSchema(value: unknown, resolver: Resolver, depth = 0): SchemaNode {
  const schema = mergeAllOf(resolver.resolve(value), resolver);
  const alternatives = [...listOf(schema.oneOf), ...listOf(schema.anyOf)].map((entry) =>
    resolver.resolve(entry),
  );
  const literals = literalsOf(schema, alternatives);
  const isUnion = alternatives.length > 0 && literals.length === 0;
  const variants = isUnion && depth < depthMax ? readVariants(alternatives, resolver, depth) : [];
  const fields = depth < depthMax ? readFields(schema, resolver, depth) : [];
  const item =
    depth < depthMax && isRecord(schema.items) ? readSchema(schema.items, resolver, depth + 1) : undefined;
  return {
    types: isUnion ? unionTypes(alternatives) : typesOf(schema, literals),
    label: isUnion ? unionLabel(alternatives, resolver) : labelOf(schema, literals, item, resolver),
    description: textOf(schema.description),
    isDeprecated: schema.deprecated === true,
    limits: limitsOf(schema),
    allowed: literals.map(shortText),
    defaultText: schema.default === undefined ? undefined : shortText(schema.default),
    example: exampleOf(schema, literals),
    fields,
    item,
    // A value that may also be null has one real shape, which is shown as if it stood alone.
    ...(variants.length === 1 ? onlyVariant(variants[0], { fields, item }) : { variants }),
  };
}

function onlyVariant(variant: SchemaNode | undefined, own: Pick<SchemaNode, 'fields' | 'item'>) {
  return {
    fields: own.fields.length > 0 ? own.fields : (variant?.fields ?? []),
    item: own.item ?? variant?.item,
    variants: variant?.variants ?? [],
  };
}

function readVariants(alternatives: JsonRecord[], resolver: Resolver, depth: number): SchemaNode[] {
  return alternatives
    .filter((alternative) => alternative.type !== 'null')
    .map((alternative) => readSchema(alternative, resolver, depth + 1));
}

function mergeAllOf(schema: JsonRecord, resolver: Resolver): JsonRecord {
  const parts = listOf(schema.allOf).map((part) => resolver.resolve(part));
  if (parts.length === 0) return schema;
  const all = [...parts, schema];
  return {
    ...Object.assign({}, ...all),
    properties: Object.assign({}, ...all.map((part) => recordOf(part.properties))),
    required: all.flatMap((part) => stringsOf(part.required)),
  };
}

function readFields(schema: JsonRecord, resolver: Resolver, depth: number): SchemaField[] {
  const required = new Set(stringsOf(schema.required));
  const fields = Object.entries(recordOf(schema.properties)).map(([name, property]) => ({
    name,
    isRequired: required.has(name),
    schema: readSchema(property, resolver, depth + 1),
  }));
  if (!isRecord(schema.additionalProperties)) return fields;
  const rest = readSchema(schema.additionalProperties, resolver, depth + 1);
  return [...fields, { name: t`(any name)`, isRequired: false, schema: rest }];
}

/** Values of `enum` or `const`, or of a union that consists of nothing else. */
function literalsOf(schema: JsonRecord, alternatives: JsonRecord[]): unknown[] {
  if (Array.isArray(schema.enum)) return schema.enum;
  if (schema.const !== undefined) return [schema.const];
  const isClosed = alternatives.every((entry) => entry.const !== undefined || Array.isArray(entry.enum));
  if (alternatives.length === 0 || !isClosed) return [];
  return alternatives.flatMap((entry) => (entry.const === undefined ? listOf(entry.enum) : [entry.const]));
}

function typesOf(schema: JsonRecord, literals: unknown[]): string[] {
  const types = Array.isArray(schema.type) ? stringsOf(schema.type) : [textOf(schema.type)];
  const [guessed] = literals.map((literal) => (literal === null ? 'null' : typeof literal));
  const known = types.filter((type) => type !== '');
  if (known.length === 0) known.push(guessed ?? (isRecord(schema.properties) ? 'object' : 'any'));
  const format = textOf(schema.format);
  return known.map((type) => (type === 'string' && knownFormats.has(format) ? format : type));
}

function unionTypes(alternatives: JsonRecord[]): string[] {
  return [...new Set(alternatives.flatMap((entry) => typesOf(entry, literalsOf(entry, []))))];
}

function labelOf(
  schema: JsonRecord,
  literals: unknown[],
  item: SchemaNode | undefined,
  resolver: Resolver,
): string {
  const names = typesOf(schema, literals).map((type) =>
    type === 'array' ? arrayLabel(schema, item, resolver) : type,
  );
  return choiceText(names);
}

function arrayLabel(schema: JsonRecord, item: SchemaNode | undefined, resolver: Resolver): string {
  if (!isRecord(schema.items)) return 'array';
  const label = item?.label ?? (textOf(resolver.resolve(schema.items).type) || 'any');
  switch (label) {
    case 'object':
      return t`array of objects`;
    case 'string':
      return t`array of strings`;
    case 'integer':
      return t`array of integers`;
    case 'number':
      return t`array of numbers`;
    default:
      return t`array of ${label}`;
  }
}

function unionLabel(alternatives: JsonRecord[], resolver: Resolver): string {
  const labels = alternatives.map((entry) => labelOf(entry, literalsOf(entry, []), undefined, resolver));
  return choiceText([...new Set(labels)]);
}

function exampleOf(schema: JsonRecord, literals: unknown[]): unknown {
  if (schema.example !== undefined) return schema.example;
  const [first] = listOf(schema.examples);
  return first ?? schema.default ?? literals[0];
}
