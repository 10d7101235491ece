import { Ajv, type ErrorObject } from 'ajv';
import type { FastifySchemaCompiler } from 'fastify';
import type { TSchema } from 'typebox';
import { DomainError, type ErrorCode } from '../domain/errors.ts';
import { BLOCK_FORMAT, isBlank, isBlock, isLine, LINE_FORMAT } from '../wire/text.ts';

/** The parts of a JSON schema that validation messages speak of. */
interface FieldSchema {
  type?: string;
  enum?: readonly string[];
  minimum?: number;
  maximum?: number;
  maxLength?: number;
  format?: string;
  pattern?: string;
  'x-type-error'?: ErrorCode;
}

interface ObjectSchema {
  required?: readonly string[];
  properties: Record<string, FieldSchema>;
}

/**
 * Compiles the wire schemas for Fastify. Bodies are never coerced. Query values arrive as text, so those that a
 * schema calls numbers are read as JSON numbers first, strictly: `0x10`, ` 1` or `1,5` stay text and are refused.
 */
export function createValidatorCompiler(): FastifySchemaCompiler<TSchema> {
  const ajv = new Ajv({ coerceTypes: false, useDefaults: true, strict: true, unicodeRegExp: true });
  ajv.addVocabulary(['x-type-error']);
  ajv.addFormat(LINE_FORMAT, isLine);
  ajv.addFormat(BLOCK_FORMAT, isBlock);
  return ({ schema, httpPart }) => {
    const validate = ajv.compile(schema);
    // Every wire schema of a request part is an object schema.
    const shape = schema as unknown as ObjectSchema;
    const numeric = httpPart === 'querystring' ? numericFields(shape) : [];
    return (data: unknown) => {
      if (numeric.length > 0) {
        readNumbers(data, numeric);
      }
      if (validate(data)) {
        return { value: data };
      }
      return { error: toDomainError(httpPart, shape, data, validate.errors?.[0]) };
    };
  };
}

const JSON_NUMBER = /^-?(?:0|[1-9]\d*)(?:\.\d+)?(?:[eE][+-]?\d+)?$/;

function numericFields(schema: ObjectSchema): string[] {
  return Object.entries(schema.properties)
    .filter(([, field]) => field.type === 'integer' || field.type === 'number')
    .map(([name]) => name);
}

function readNumbers(query: unknown, names: readonly string[]): void {
  const values = query as Record<string, unknown>;
  for (const name of names) {
    const text = values[name];
    if (typeof text === 'string' && JSON_NUMBER.test(text)) {
      values[name] = Number(text);
    }
  }
}

function toDomainError(
  httpPart: string | undefined,
  schema: ObjectSchema,
  data: unknown,
  fault: ErrorObject | undefined,
): DomainError {
  if (httpPart === 'body' && data !== undefined && data !== null && !isPlainObject(data)) {
    return new DomainError('invalid_input', { detail: 'the body must be a JSON object' });
  }
  if (httpPart !== 'querystring' && lacksRequired(schema, data)) {
    return new DomainError(httpPart === 'body' ? 'missing_fields' : 'missing_parameters');
  }
  const name = fault?.instancePath.split('/')[1] ?? '';
  const field = schema.properties[name];
  if (field === undefined) {
    return new DomainError('invalid_input', { detail: 'the request does not have the expected form' });
  }
  if (field['x-type-error'] !== undefined && fault?.keyword === 'type') {
    return new DomainError(field['x-type-error']);
  }
  return new DomainError('invalid_input', { detail: `${name} must be ${describeRule(field)}` });
}

/** Absent, null and blank are all missing, whatever else may be wrong with the request. */
function lacksRequired(schema: ObjectSchema, data: unknown): boolean {
  if (!isPlainObject(data)) {
    return true;
  }
  return (schema.required ?? []).some((name) => {
    const value = Object.hasOwn(data, name) ? data[name] : undefined;
    return value === undefined || value === null || (typeof value === 'string' && isBlank(value));
  });
}

function isPlainObject(data: unknown): data is Record<string, unknown> {
  return typeof data === 'object' && data !== null && !Array.isArray(data);
}

/** The whole rule of a field in words, whichever part of it was broken: the caller can put it right in one go. */
function describeRule(field: FieldSchema): string {
  if (field.enum !== undefined) {
    return `one of: ${field.enum.join(', ')}`;
  }
  switch (field.type) {
    case 'integer':
    case 'number':
      return `${field.type === 'integer' ? 'an integer' : 'a number'}${describeRange(field)}`;
    case 'boolean':
      return 'true or false';
    default:
      return describeText(field);
  }
}

function describeRange({ minimum, maximum }: FieldSchema): string {
  if (minimum !== undefined && maximum !== undefined) {
    // The largest safe integer is no rule of ours but of exactness, and no number to show to people.
    return maximum < Number.MAX_SAFE_INTEGER ? ` from ${minimum} to ${maximum}` : ` of at least ${minimum}`;
  }
  return minimum === undefined ? '' : ` of at least ${minimum}`;
}

function describeText({ maxLength, format, pattern }: FieldSchema): string {
  const kind = pattern === undefined ? 'text' : 'printable ASCII text';
  const length = maxLength === undefined ? '' : ` of 1 to ${maxLength} characters`;
  const rule = format === undefined ? '' : ' without control characters or direction marks';
  return `${kind}${length}${rule}`;
}
