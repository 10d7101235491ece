import type { ErrorObject } from 'ajv';
import type { Static, TObject, TSchema } from 'typebox';
import { DomainError, type ErrorCode } from '../domain/errors.ts';
import { createKeepNamed } from '../wire/named-fields.ts';
import { BLOCK_FORMAT, isBlank, isJsonNumber, NOTE_FORMAT } from '../wire/text.ts';
import { createValidate, describeFault } from '../wire/validation.ts';
import type { Route } from './endpoint.ts';
import { parseJson } from './json-body.ts';
import { createCacheByQuery, isProperlyEncoded, parseQueryString } from './query-string.ts';
import type { HttpRequest } from './request.ts';
import { createUnknownCheck } from './unknown-parameters.ts';

interface ObjectSchema {
  type?: string;
  required?: readonly string[];
  properties?: Record<string, { type?: string; format?: string; 'x-type-error'?: ErrorCode }>;
}

type HttpPart = 'params' | 'querystring' | 'body' | 'headers';

/** Reads one part of a request by its schema. Throws the first violation. */
type ReadPart = (data: unknown) => unknown;

/**
 * The parts of a request after the check, with the types of the route's schemas. They hold the fields that these schemas name
 * and no others.
 */
export interface Input<Params, Query, Body> {
  params: Params;
  query: Query;
  body: Body;
}

/**
 * Reads the parts of a request in a fixed order: address, path parameters, body, query string, headers. The first fault is
 * thrown.
 */
export type ReadInput<Params extends TObject, Query extends TObject, Body extends TSchema> = (
  request: HttpRequest,
) => Input<Static<Params>, Static<Query>, Static<Body>>;

/** A reader for requests of a route, by its wire schemas. */
export function createInput<Params extends TObject, Query extends TObject, Body extends TSchema>(
  route: Route<Params, Query, Body>,
): ReadInput<Params, Query, Body> {
  const { params, query, body, headers } = route;
  const checkUnknown = createUnknownCheck(route);
  const readParams = params && createReader(params, 'params');
  const readBody =
    body && route.isStreamed !== true ? createReader(body, 'body', route.access === 'bot') : undefined;
  const isOptional = mayBeAbsent(body);
  const readQuery = query && createQueryReader(query);
  const readHeaders = headers && createReader(headers, 'headers');
  return (request) => {
    if (!isProperlyEncoded(request.raw.url ?? '')) {
      throw new DomainError('invalid_input', { detail: 'the address is not properly percent-encoded' });
    }
    checkUnknown?.(request);
    // A route without a body schema ignores a body, but refuses one that is not JSON.
    const given = request.body === undefined ? undefined : parseJson(request.body);
    const content = given === undefined && isOptional ? {} : given;
    readParams?.(request.params);
    const body = readBody?.(content);
    const asked = readQuery?.(request.queryText);
    readHeaders?.(request.raw.headers);
    // Checked values have the types of their schemas.
    return { params: request.params, query: asked, body } as Input<
      Static<Params>,
      Static<Query>,
      Static<Body>
    >;
  };
}

/** True when a missing body is read as an empty object, because no field is required. */
export function mayBeAbsent(body: TSchema | undefined): boolean {
  // Every wire schema is plain JSON schema.
  const { type, required } = (body ?? {}) as ObjectSchema;
  return type === 'object' && required === undefined;
}

/** Reads a part of a body that is checked on its own, as a body of this schema would be. */
export function createItemReader<Item extends TSchema>(schema: Item): (data: unknown) => Static<Item> {
  const read = createReader(schema, 'body');
  return (data) => {
    if (typeof data !== 'object' || data === null || Array.isArray(data)) {
      throw new DomainError('invalid_input', { detail: 'an item must be a JSON object' });
    }
    // Validated data has the type of its schema.
    return read(data) as Static<Item>;
  };
}

/** The interface fixes the message about missing fields; with `namesMissing` the message names the first one. */
function createReader(schema: TSchema, part: HttpPart, namesMissing = false): ReadPart {
  const validate = createValidate(schema);
  // Path parameters are those of the route, and handlers read headers by name.
  const keepNamed = part === 'body' || part === 'querystring' ? createKeepNamed(schema) : undefined;
  // Every wire schema is plain JSON schema.
  const shape = schema as unknown as ObjectSchema;
  return (data) => {
    const fault = validate(data);
    if (fault !== undefined) {
      const missing = namesMissing ? missingField(shape, data) : undefined;
      throw missing === undefined
        ? toDomainError(part, shape, data, fault)
        : new DomainError('invalid_input', { detail: `${missing} is missing` });
    }
    return keepNamed === undefined ? data : keepNamed(data);
  };
}

/**
 * Query values arrive as text, so those that a schema calls numbers are read as such first, strictly: `0x10`, ` 1` or
 * `1,5` stay text and are refused. Most requests repeat earlier query strings, so the results of plain ones are cached.
 */
function createQueryReader(schema: TSchema): (text: string) => unknown {
  const read = createReader(schema, 'querystring');
  const numeric = numericFields(schema as unknown as ObjectSchema);
  const lists = listFields(schema as unknown as ObjectSchema);
  return createCacheByQuery((text) => {
    const query = parseQueryString(text);
    readNumbers(query, numeric);
    readLists(query, lists, text);
    return read(query);
  });
}

function listFields(schema: ObjectSchema): string[] {
  return Object.entries(schema.properties ?? {})
    .filter(([, field]) => field.type === 'array')
    .map(([name]) => name);
}

/**
 * Splits lists at their commas. This comes before decoding, so that an item may hold a comma written as %2C. Validation
 * refuses repeated and nested parameters.
 */
function readLists(query: Record<string, unknown>, fields: readonly string[], text: string): void {
  for (const name of fields) {
    if (Array.isArray(query[name])) {
      // A repeated parameter is an array here, which validation would accept as a list.
      query[name] = { repeated: true };
    } else if (typeof query[name] === 'string') {
      const given = text.split('&').find((part) => decodePart(part.split('=', 1)[0] ?? '') === name) ?? '';
      query[name] = given
        .slice(given.indexOf('=') + 1)
        .split(',')
        .map(decodePart);
    }
  }
}

function decodePart(text: string): string {
  return decodeURIComponent(text.replaceAll('+', ' '));
}

/** The numbers among the fields, and whether each is an integer. */
function numericFields(schema: ObjectSchema): [name: string, isInteger: boolean][] {
  return Object.entries(schema.properties ?? {})
    .filter(([, field]) => field.type === 'integer' || field.type === 'number')
    .map(([name, field]) => [name, field.type === 'integer']);
}

/** Integers are decimal digits only: `1e1` and `10.0` are ten in JSON, but nobody asks for page `1e1`. */
const DIGITS = /^-?(?:0|[1-9]\d*)$/;

function readNumbers(query: Record<string, unknown>, fields: readonly [string, boolean][]): void {
  for (const [name, isInteger] of fields) {
    const text = query[name];
    if (typeof text === 'string' && (isInteger ? DIGITS.test(text) : isJsonNumber(text))) {
      query[name] = Number(text);
    }
  }
}

function toDomainError(
  httpPart: string | undefined,
  schema: ObjectSchema,
  data: unknown,
  fault: ErrorObject,
): DomainError {
  if (httpPart === 'body' && fault.instancePath === '' && fault.keyword === 'type') {
    const isAbsent = data === undefined || data === null;
    return isAbsent
      ? new DomainError('missing_fields')
      : new DomainError('invalid_input', { detail: `the body must be a JSON ${fault.params.type}` });
  }
  const isAbsent = typeof data !== 'object' || data === null;
  if (httpPart !== 'querystring' && (isAbsent || missingField(schema, data) !== undefined)) {
    return new DomainError(httpPart === 'body' ? 'missing_fields' : 'missing_parameters');
  }
  const typeError = schema.properties?.[fault.instancePath.slice(1)]?.['x-type-error'];
  if (typeError !== undefined && fault.keyword === 'type') {
    return new DomainError(typeError);
  }
  return new DomainError('invalid_input', { detail: describeFault(fault) });
}

const MAY_BE_EMPTY: readonly unknown[] = [NOTE_FORMAT, BLOCK_FORMAT];

/** The first required field that is absent, null, or blank where text may not be empty. */
function missingField(schema: ObjectSchema, data: unknown): string | undefined {
  if (typeof data !== 'object' || data === null) {
    return undefined;
  }
  return schema.required?.find((name) => {
    const value: unknown = Object.hasOwn(data, name)
      ? Object.getOwnPropertyDescriptor(data, name)?.value
      : undefined;
    const mayBeEmpty = MAY_BE_EMPTY.includes(schema.properties?.[name]?.format);
    const isBlankText = typeof value === 'string' && isBlank(value);
    return value === undefined || value === null || (isBlankText && !mayBeEmpty);
  });
}
