import type { ErrorObject } from 'ajv';
import type { Static, TSchema } from 'typebox';
import { DomainError, type ErrorCode } from '../domain/errors.ts';
import { BLOCK_FORMAT, isBlank, isJsonNumber, NOTE_FORMAT } from '../wire/text.ts';
import { createSchemaCompiler, describeFault } from '../wire/validation.ts';

interface ObjectSchema {
  required?: readonly string[];
  properties?: Record<string, { type?: string; format?: string; 'x-type-error'?: ErrorCode }>;
}

export type HttpPart = 'params' | 'querystring' | 'body' | 'headers';

/** Reads one part of a request: as its schema says, or not at all. */
export type ReadInput<Schema extends TSchema> = (
  data: unknown,
) => { value: Static<Schema> } | { error: DomainError };

/**
 * Compiles the wire schemas, for Fastify and for the direct lane alike. Query values arrive as text, so those that a schema calls numbers are read as
 * JSON numbers first, strictly: `0x10`, ` 1` or `1,5` stay text and are refused.
 */
export function createReaders() {
  const compile = createSchemaCompiler();
  return <Schema extends TSchema>(schema: Schema, part: string | undefined): ReadInput<Schema> => {
    const validate = compile(schema);
    // Every wire schema is plain JSON schema.
    const shape = schema as unknown as ObjectSchema;
    const numeric = part === 'querystring' ? numericFields(shape) : [];
    return (data) => {
      if (numeric.length > 0) {
        readNumbers(data, numeric);
      }
      const fault = validate(data);
      // What has been validated has the type of its schema.
      return fault === undefined
        ? { value: data as Static<Schema> }
        : { error: toDomainError(part, shape, data, fault) };
    };
  };
}

function numericFields(schema: ObjectSchema): string[] {
  return Object.entries(schema.properties ?? {})
    .filter(([, field]) => field.type === 'integer' || field.type === 'number')
    .map(([name]) => name);
}

function readNumbers(query: unknown, names: readonly string[]): void {
  const values = query as Record<string, unknown>;
  for (const name of names) {
    const text = values[name];
    if (typeof text === 'string' && isJsonNumber(text)) {
      values[name] = Number(text);
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
  if (httpPart !== 'querystring' && lacksRequired(schema, data)) {
    return new DomainError(httpPart === 'body' ? 'missing_fields' : 'missing_parameters');
  }
  const typeError = schema.properties?.[fault.instancePath.slice(1)]?.['x-type-error'];
  if (typeError !== undefined && fault.keyword === 'type') {
    return new DomainError(typeError);
  }
  return new DomainError('invalid_input', { detail: describeFault(fault) });
}

const MAY_BE_EMPTY: readonly unknown[] = [NOTE_FORMAT, BLOCK_FORMAT];

/** Absent and null are missing, whatever else may be wrong with the request; so is blank, save where text may be empty. */
function lacksRequired(schema: ObjectSchema, data: unknown): boolean {
  if (typeof data !== 'object' || data === null) {
    return true;
  }
  return (schema.required ?? []).some((name) => {
    const value: unknown = Object.hasOwn(data, name)
      ? Object.getOwnPropertyDescriptor(data, name)?.value
      : undefined;
    const mayBeEmpty = MAY_BE_EMPTY.includes(schema.properties?.[name]?.format);
    const isBlankText = typeof value === 'string' && isBlank(value);
    return value === undefined || value === null || (isBlankText && !mayBeEmpty);
  });
}
