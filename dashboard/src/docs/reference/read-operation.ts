import { isRecord, type JsonRecord, listOf, prettyText, recordOf, shortText, textOf } from './json.ts';
import type {
  Example,
  HeaderDoc,
  Parameter,
  ParameterPlace,
  RequestBody,
  ResponseDoc,
  SchemaNode,
} from './model.ts';
import type { Resolver } from './pointers.ts';
import { readSchema } from './read-schema.ts';
import { sampleOf } from './sample.ts';

// OpenAPI ignores parameters with these names: other parts of the document describe them.
const headersElsewhere = new Set(['accept', 'content-type', 'authorization']);

/** An operation's own parameter replaces the path's parameter of the same name and location. */
export function readParameters(values: unknown[], resolver: Resolver): Parameter[] {
  const parameters = new Map<string, Parameter>();
  for (const value of values) {
    const raw = resolver.resolve(value);
    const place = raw.in;
    const name = textOf(raw.name);
    if (place !== 'path' && place !== 'query' && place !== 'header') continue;
    if (place === 'header' && headersElsewhere.has(name.toLowerCase())) continue;
    parameters.set(`${place}:${name}`, readParameter(raw, { name, place }, resolver));
  }
  return [...parameters.values()];
}

function readParameter(
  raw: JsonRecord,
  { name, place }: { name: string; place: ParameterPlace },
  resolver: Resolver,
): Parameter {
  const schema = readSchema(raw.schema ?? firstContent(raw)?.media.schema, resolver);
  return {
    place,
    name,
    description: textOf(raw.description) || schema.description,
    isRequired: raw.required === true || place === 'path',
    isDeprecated: raw.deprecated === true || schema.isDeprecated,
    schema,
    example: readExample(raw, resolver),
  };
}

function readExample(raw: JsonRecord, resolver: Resolver): string | undefined {
  const [named] = Object.values(recordOf(raw.examples)).map((example) => resolver.resolve(example).value);
  const schema = resolver.resolve(raw.schema);
  const value = raw.example ?? named ?? schema.example ?? listOf(schema.examples)[0];
  return value === undefined ? undefined : shortText(value);
}

export function readBody(value: unknown, resolver: Resolver): RequestBody | undefined {
  const raw = resolver.resolve(value);
  const content = firstContent(raw);
  if (!content) return undefined;
  const schema = readSchema(content.media.schema, resolver);
  return {
    contentType: content.type,
    description: textOf(raw.description),
    isRequired: raw.required === true,
    schema,
    examples: readExamples(content, schema, resolver),
  };
}

export function readResponses(value: unknown, resolver: Resolver): ResponseDoc[] {
  return Object.entries(recordOf(value)).map(([status, response]) => {
    const raw = resolver.resolve(response);
    const content = firstContent(raw);
    const schema =
      content?.media.schema === undefined ? undefined : readSchema(content.media.schema, resolver);
    return {
      status,
      description: textOf(raw.description),
      headers: readHeaders(raw.headers, resolver),
      contentType: content?.type,
      schema,
      examples: content ? readExamples(content, schema, resolver) : [],
    };
  });
}

function readHeaders(value: unknown, resolver: Resolver): HeaderDoc[] {
  return Object.entries(recordOf(value)).map(([name, header]) => {
    const raw = resolver.resolve(header);
    const schema = readSchema(raw.schema, resolver);
    const description = textOf(raw.description) || schema.description;
    return { name, description, schema, example: readExample(raw, resolver) };
  });
}

interface Content {
  type: string;
  media: JsonRecord;
}

/** Prefers JSON content, which the page can show and send best. */
function firstContent(raw: JsonRecord): Content | undefined {
  const entries = Object.entries(recordOf(raw.content)).filter(([, media]) => isRecord(media));
  const [type, media] = entries.find(([name]) => isJsonType(name)) ?? entries[0] ?? [];
  return type === undefined ? undefined : { type, media: recordOf(media) };
}

function readExamples(content: Content, schema: SchemaNode | undefined, resolver: Resolver): Example[] {
  const { media, type } = content;
  if (media.example !== undefined) return [{ name: 'Example', text: prettyText(media.example) }];
  const named = Object.entries(recordOf(media.examples)).map(([name, value]) => {
    const example = resolver.resolve(value);
    return { name: textOf(example.summary) || titleOf(name), text: prettyText(example.value) };
  });
  if (named.length > 0 || !schema || !isJsonType(type)) return named;
  return [{ name: 'Made from the schema', text: prettyText(sampleOf(schema)) }];
}

/** Examples often have only a key: "missing_fields" reads "Missing fields". */
function titleOf(key: string): string {
  const words = key.replace(/[_-]+/g, ' ').trim();
  return words.charAt(0).toUpperCase() + words.slice(1);
}

export function isJsonType(contentType: string): boolean {
  return /^application\/(?:[\w.+-]+\+)?json\b/i.test(contentType);
}
