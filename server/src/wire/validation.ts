import { Ajv, type ErrorObject, type ValidateFunction } from 'ajv';
import type { TSchema } from 'typebox';
import {
  DATE_FORMAT,
  DATE_PATTERNS,
  DATE_TIME_FORMAT,
  DAY_FORMAT,
  isDate,
  isDateTime,
  isDay,
} from './dates.ts';
import {
  ACTOR_FORMAT,
  BLOCK_FORMAT,
  isActor,
  isBlock,
  isLine,
  isNote,
  LINE_FORMAT,
  NOTE_FORMAT,
  TEXT_PATTERNS,
} from './text.ts';

/** The keywords of a JSON schema that validation messages describe. */
interface FieldSchema {
  type?: string | string[];
  enum?: readonly string[];
  anyOf?: readonly FieldSchema[];
  minimum?: number;
  exclusiveMinimum?: number;
  maximum?: number;
  minLength?: number;
  maxLength?: number;
  minItems?: number;
  maxItems?: number;
  format?: string;
  pattern?: string;
  /** The text of the rule, when it cannot be derived from the schema. */
  'x-rule'?: string;
}

/** Names the schema that documents a value which is checked separately and later. */
export const DOCUMENTED_AS = 'x-documented-as';

/**
 * Holds keywords for the OpenAPI document only: the code after the validation enforces these rules with its own
 * messages.
 */
export const DOCUMENTED_RULES = 'x-documented-rules';

/** Returns the first error of a value, or undefined when it is valid. */
export type Validate = (data: unknown) => ErrorObject | undefined;

const UUID_PATTERN = '^[0-9a-f]{8}-[0-9a-f]{4}-[0-9a-f]{4}-[0-9a-f]{4}-[0-9a-f]{12}$';

/** The texts that each format accepts, for documents: readers of a schema do not know our formats. */
export const FORMAT_PATTERNS: Readonly<Record<string, string>> = {
  ...TEXT_PATTERNS,
  uuid: UUID_PATTERN,
  [DATE_FORMAT]: DATE_PATTERNS[DATE_FORMAT].source,
  [DATE_TIME_FORMAT]: DATE_PATTERNS[DATE_TIME_FORMAT].source,
  [DAY_FORMAT]: DATE_PATTERNS[DAY_FORMAT].source,
};

let compiler: Ajv | undefined;

/**
 * Validates values by a wire schema. Nothing is coerced; defaults are filled in. A schema is compiled with the first
 * value, once per process: compiling all of them takes a third of a start.
 */
export function createValidate(schema: TSchema): Validate {
  let validate: ValidateFunction | undefined;
  return (data) => {
    if (validate === undefined) {
      compiler ??= createCompiler();
      // The compiler caches compiled schemas.
      validate = compiler.compile(schema);
    }
    return validate(data) ? undefined : validate.errors?.[0];
  };
}

function createCompiler(): Ajv {
  // `verbose` adds the schema of the invalid field to the error, for the messages below.
  const ajv = new Ajv({
    coerceTypes: false,
    useDefaults: true,
    strict: true,
    allowUnionTypes: true,
    verbose: true,
  });
  ajv.addVocabulary(['x-type-error', 'x-rule', DOCUMENTED_AS, DOCUMENTED_RULES]);
  ajv.addFormat(LINE_FORMAT, isLine);
  ajv.addFormat(NOTE_FORMAT, isNote);
  ajv.addFormat(BLOCK_FORMAT, isBlock);
  ajv.addFormat(ACTOR_FORMAT, isActor);
  ajv.addFormat(DATE_FORMAT, isDate);
  ajv.addFormat(DATE_TIME_FORMAT, isDateTime);
  ajv.addFormat(DAY_FORMAT, isDay);
  ajv.addFormat('uuid', new RegExp(UUID_PATTERN));
  return ajv;
}

/**
 * The whole rule of the field, whichever part of it was violated, so that the sender can correct everything at once.
 */
export function describeFault(fault: ErrorObject): string {
  const path = fieldPath(fault.instancePath);
  if (fault.keyword === 'required') {
    return `${path === '' ? '' : `${path}.`}${fault.params.missingProperty} is missing`;
  }
  // Ajv is verbose, so the schema with the violated keyword is present.
  const rule = describeRule(fault.parentSchema as FieldSchema);
  return `${path === '' ? 'the record' : path} must be ${rule}`;
}

/** `/pastUsers/0/username` becomes `pastUsers[0].username`, and `/0/name` becomes `[0].name`. */
function fieldPath(pointer: string): string {
  return pointer
    .replaceAll(/\/(\d+)/g, '[$1]')
    .replace(/^\//, '')
    .replaceAll('/', '.');
}

function describeRule(field: FieldSchema): string {
  if (field['x-rule'] !== undefined) {
    return field['x-rule'];
  }
  if (field.anyOf !== undefined) {
    return field.anyOf.map(describeRule).join(' or ');
  }
  if (field.enum !== undefined) {
    return `one of: ${field.enum.join(', ')}`;
  }
  switch (field.type) {
    case 'integer':
    case 'number':
      return `${field.type === 'integer' ? 'an integer' : 'a number'}${describeRange(field)}`;
    case 'boolean':
      return 'true or false';
    case 'null':
      return 'null';
    case 'object':
      return 'an object';
    case 'array':
      return `a list${describeLength(field)}`;
    default:
      return describeText(field);
  }
}

function describeLength({ minItems = 0, maxItems }: FieldSchema): string {
  if (maxItems === undefined) {
    return '';
  }
  return minItems === 0 ? ` of at most ${maxItems}` : ` of ${minItems} to ${maxItems}`;
}

function describeRange({ minimum, exclusiveMinimum, maximum }: FieldSchema): string {
  if (exclusiveMinimum !== undefined) {
    return ` above ${exclusiveMinimum === 0 ? 'zero' : exclusiveMinimum}`;
  }
  if (minimum !== undefined && maximum !== undefined && maximum < Number.MAX_SAFE_INTEGER) {
    return ` from ${minimum} to ${maximum}`;
  }
  return minimum === undefined ? '' : ` of at least ${minimum}`;
}

function describeText({ minLength = 0, maxLength, format, pattern }: FieldSchema): string {
  if (format === DATE_FORMAT) {
    return 'a date such as 2027-01-31 or 2027-01-31T18:00:00Z';
  }
  if (format === DATE_TIME_FORMAT) {
    return 'a time such as 2027-01-31T18:00:00Z';
  }
  if (format === DAY_FORMAT) {
    return 'a day such as 2027-01-31';
  }
  if (format === ACTOR_FORMAT) {
    return 'a kind and an id such as user:4711';
  }
  if (format === 'uuid') {
    return 'a UUID in lower case';
  }
  const kind = pattern === undefined ? 'text' : 'printable ASCII text';
  const length = maxLength === undefined ? '' : ` of ${minLength} to ${maxLength} characters`;
  const rule = format === undefined ? '' : ' without control characters or direction marks';
  return `${kind}${length}${rule}`;
}
