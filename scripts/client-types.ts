import { asObject, type Json, listAt, objectAt } from './json-values.ts';

export const HEADER = '// Made from docs/openapi.json by `npm run generate`; do not edit by hand.';
/** The line width of the formatter, so that what is written here is what it would write. */
const LINE_WIDTH = 110;
/** A union longer than this gets a name of its own. With it, every property fits on one line. */
const UNION_WIDTH_MAX = 60;
/** Schemas of these names would hide a global of the language: they are written with `Body` added. */
const GLOBAL_NAMES = new Set(
  'Array Boolean Date Error Function Map Number Object Promise Record RegExp Set String Symbol'.split(' '),
);

/**
 * The text of client/src/schema.ts: each named schema of an OpenAPI 3.1 document, then what each operation takes
 * and answers. The same document always gives the same text. Throws when a schema cannot be expressed as a type.
 */
export function clientTypes(document: unknown): string {
  return `${[HEADER, ...createDocumentSheet(document).texts()].join('\n\n')}\n`;
}

/** The schema of each interface in that text, by its name. */
export function declaredSchemas(document: unknown): ReadonlyMap<string, Json> {
  return createDocumentSheet(document).schemas;
}

function createDocumentSheet(document: unknown): Sheet {
  const root = asObject(document, 'the document');
  const sheet = createSheet();
  for (const [name, schema] of Object.entries(objectAt(objectAt(root, 'components'), 'schemas'))) {
    sheet.declare(typeName(name), schema);
  }
  for (const [path, item] of Object.entries(objectAt(root, 'paths'))) {
    const { parameters, ...others } = asObject(item, path);
    const methods = Object.keys(others).filter((key) => /^(get|put|post|delete|patch)$/.test(key));
    for (const method of methods) {
      const operation = objectAt(others, method);
      const all = [...listAt({ parameters }, 'parameters'), ...listAt(operation, 'parameters')];
      declareOperation(sheet, { root, title: `${method.toUpperCase()} ${path}`, operation, parameters: all });
    }
  }
  return sheet;
}

/** Names follow the operation: GetThingPath, GetThingQuery, GetThingHeaders, GetThingBody, GetThingReply. */
function declareOperation(
  sheet: Sheet,
  {
    root,
    title,
    operation,
    parameters,
  }: { root: Json; title: string; operation: Json; parameters: unknown[] },
): void {
  const id = String(operation.operationId ?? title.replace(/^\w+/, (method) => method.toLowerCase()));
  const name = typeName(id);
  const about = (what: string) => `${what} of ${id}: \`${title}\`.`;
  const resolved = parameters.map((parameter) => resolve(root, asObject(parameter, 'a parameter')));
  for (const [place, suffix, what] of PARAMETER_PLACES) {
    const own = resolved.filter((parameter) => parameter.in === place);
    if (own.length > 0) {
      sheet.declare(`${name}${suffix}`, parametersSchema(own, about(what)));
    }
  }
  if (operation.requestBody !== undefined) {
    const body = resolve(root, objectAt(operation, 'requestBody'));
    sheet.declare(`${name}Body`, withDescription(jsonSchema(body), about('Body')));
  }
  const replies = Object.entries(objectAt(operation, 'responses')).filter(([status]) => /^2/.test(status));
  const schemas = replies.map(([, reply]) => jsonSchema(resolve(root, asObject(reply, 'a response'))));
  const [only = {}, ...others] = schemas;
  const answer = others.length === 0 ? only : { anyOf: schemas };
  sheet.declare(`${name}Reply`, withDescription(answer, about('Answer')));
}

const PARAMETER_PLACES = [
  ['path', 'Path', 'Path parameters'],
  ['query', 'Query', 'Query parameters'],
  ['header', 'Headers', 'Headers'],
] as const;

function parametersSchema(parameters: readonly Json[], description: string): Json {
  const properties = parameters.map((parameter) => [
    String(parameter.name),
    withDescription(asObject(parameter.schema, 'a parameter'), parameter.description),
  ]);
  const required = parameters.filter((parameter) => parameter.required === true);
  return {
    type: 'object',
    description,
    properties: Object.fromEntries(properties),
    required: required.map((parameter) => parameter.name),
  };
}

/** The schema of a JSON content; an answer without one is `undefined`. */
function jsonSchema(holder: Json): Json {
  const content = objectAt(objectAt(holder, 'content'), 'application/json');
  return content.schema === undefined ? { type: 'undefined' } : asObject(content.schema, 'a schema');
}

function withDescription(schema: Json, description: unknown): Json {
  return description === undefined ? schema : { ...schema, description };
}

interface Sheet {
  /** Adds the schema under this name: an interface where it is an object, an alias otherwise. */
  declare(name: string, schema: unknown): void;
  texts(): string[];
  schemas: ReadonlyMap<string, Json>;
}

function createSheet(): Sheet {
  // A map keeps the order of its first entries, so a type stands before those that were named on its account.
  const declarations = new Map<string, string>();
  const schemas = new Map<string, Json>();

  function reserve(name: string): void {
    if (declarations.has(name)) {
      throw new Error(`two types would be called ${name}`);
    }
    declarations.set(name, '');
  }

  function declare(name: string, given: unknown): void {
    reserve(name);
    const schema = asObject(given, name);
    schemas.set(name, schema);
    const text = isRecord(schema) ? interfaceText(name, schema) : aliasText(name, members(schema, name));
    declarations.set(name, comment(schema, '') + text);
  }

  function interfaceText(name: string, schema: Json): string {
    const required = new Set(listAt(schema, 'required'));
    const lines = Object.entries(objectAt(schema, 'properties')).map(([key, value]) => {
      const field = asObject(value, key);
      const type = typeText(field, name + typeName(key));
      // A field that is `undefined` is left out, as JSON.stringify does.
      const end = required.has(key) ? `: ${type};` : `?: ${type} | undefined;`;
      return `${comment(field, '  ')}  ${/^[A-Za-z_$][\w$]*$/.test(key) ? key : literal(key)}${end}\n`;
    });
    return `export interface ${name} {\n${lines.join('')}}`;
  }

  /** A type on one line. Objects and long unions inside it are declared under the name that is offered. */
  function typeText(schema: Json, name: string): string {
    const types = members(schema, name);
    const text = types.join(' | ');
    const isOneOrNone = types.filter((type) => type !== 'null').length <= 1;
    if (isOneOrNone || text.length <= UNION_WIDTH_MAX) {
      return text;
    }
    reserve(name);
    declarations.set(name, aliasText(name, types));
    return name;
  }

  /** The members of a union, `null` last; most types are a union of one. */
  function members(schema: Json, name: string): string[] {
    const distinct = [...new Set(unorderedMembers(schema, name))];
    return [...distinct.filter((type) => type !== 'null'), ...distinct.filter((type) => type === 'null')];
  }

  function unorderedMembers(schema: Json, name: string): string[] {
    if (typeof schema.$ref === 'string') {
      return [typeName(schema.$ref.replace(/^#\/components\/schemas\//, ''))];
    }
    if ('const' in schema) {
      return [literal(schema.const)];
    }
    if (Array.isArray(schema.enum)) {
      return schema.enum.map(literal);
    }
    for (const key of ['anyOf', 'oneOf']) {
      if (Array.isArray(schema[key])) {
        const options = schema[key].map((option) => asObject(option, name));
        const isOnlyOne = options.filter((option) => option.type !== 'null').length === 1;
        return options.flatMap((option, index) => members(option, isOnlyOne ? name : `${name}${index + 1}`));
      }
    }
    const types = Array.isArray(schema.type) ? schema.type : [schema.type];
    return types.map((type) => namedType(type, schema, name));
  }

  function namedType(type: unknown, schema: Json, name: string): string {
    switch (type) {
      case 'integer':
      case 'number':
        return 'number';
      case 'string':
      case 'boolean':
      case 'null':
      case 'undefined':
        return type;
      case 'array':
        return arrayText(typeText(objectAt(schema, 'items'), `${name}Item`));
      case 'object':
        return objectText(schema, name);
      case undefined:
        // A field that must be left out.
        if ('not' in schema) {
          return 'never';
        }
        if (Object.keys(schema).every((key) => /^(description|title|examples|default)$/.test(key))) {
          return 'unknown';
        }
    }
    throw new Error(`${name} cannot be expressed as a type: ${JSON.stringify(schema)}`);
  }

  function objectText(schema: Json, name: string): string {
    if (schema.properties !== undefined) {
      // The name is taken when a union that contains this object already has it.
      const own = declarations.has(name) ? `${name}Object` : name;
      declare(own, { ...schema, type: 'object' });
      return own;
    }
    const values = schema.additionalProperties;
    const isTyped = typeof values === 'object' && values !== null;
    return `Record<string, ${isTyped ? typeText(asObject(values, name), `${name}Value`) : 'unknown'}>`;
  }

  return { declare, texts: () => [...declarations.values()], schemas };
}

function arrayText(item: string): string {
  return item.includes(' | ') && !item.endsWith('>') ? `(${item})[]` : `${item}[]`;
}

function aliasText(name: string, types: readonly string[]): string {
  const line = `export type ${name} = ${types.join(' | ')};`;
  return line.length <= LINE_WIDTH || types.length === 1
    ? line
    : `export type ${name} =\n${types.map((type) => `  | ${type}`).join('\n')};`;
}

/** True for a schema that allows only an object, with known fields. */
function isRecord(schema: Json): boolean {
  return schema.type === 'object' && schema.properties !== undefined;
}

function comment(schema: Json, indent: string): string {
  const notes = [schema.description, 'default' in schema && `Default: ${String(schema.default)}.`];
  const text = notes.filter((note) => typeof note === 'string' && note !== '').join(' ');
  if (text === '') {
    return '';
  }
  const safe = text.replaceAll('*/', '*\\/');
  const line = `${indent}/** ${safe} */\n`;
  if (line.length <= LINE_WIDTH && !safe.includes('\n')) {
    return line;
  }
  const lines = safe.split('\n').flatMap((paragraph) => wrap(paragraph, LINE_WIDTH - indent.length - 3));
  return `${indent}/**\n${lines.map((one) => `${indent} * ${one}`.trimEnd()).join('\n')}\n${indent} */\n`;
}

function wrap(text: string, width: number): string[] {
  return text.match(new RegExp(`.{1,${width}}(?: |$)|[^ ]+ ?`, 'g')) ?? [''];
}

/** A literal as the formatter quotes it: in single quotes, unless double ones save escapes. */
function literal(value: unknown): string {
  if (typeof value !== 'string') {
    return JSON.stringify(value);
  }
  const text = JSON.stringify(value).slice(1, -1).replaceAll('\\"', '"');
  const count = (quote: string) => text.split(quote).length;
  const quote = count("'") > count('"') ? '"' : "'";
  return quote + text.replaceAll(quote, `\\${quote}`) + quote;
}

function typeName(text: string): string {
  const name = text.replaceAll(/(?:^|[^A-Za-z0-9]+)([A-Za-z0-9]?)/g, (_, letter: string) =>
    letter.toUpperCase(),
  );
  return GLOBAL_NAMES.has(name) ? `${name}Body` : name;
}

/** Follows a reference to a parameter, a body or a response; schemas keep theirs, as names of types. */
function resolve(root: Json, holder: Json): Json {
  const reference = holder.$ref;
  if (typeof reference !== 'string') {
    return holder;
  }
  return reference.split('/').slice(1).reduce(objectAt, root);
}
