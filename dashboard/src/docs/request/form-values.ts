import type { Operation, Parameter } from '../reference/model.ts';
import { isJsonType } from '../reference/read-operation.ts';

/** The values typed for one operation. */
export interface FormValues {
  /** By `parameterKey`; an empty text leaves the parameter out. */
  parameters: Record<string, string>;
  body: string;
}

export function parameterKey(parameter: Parameter): string {
  return `${parameter.place}:${parameter.name}`;
}

export function initialValues(operation: Operation): FormValues {
  const entries = operation.parameters.map((parameter) => [parameterKey(parameter), initialValue(parameter)]);
  return {
    parameters: Object.fromEntries(entries),
    body: operation.body?.examples[0]?.text ?? '',
  };
}

// The example of an optional header is only shown as a hint. A prefilled Idempotency-Key, for example, would make
// every second request a replay of the first.
function initialValue(parameter: Parameter): string {
  if (parameter.place === 'header' && !parameter.isRequired) return '';
  return parameter.example ?? '';
}

/** Errors by `parameterKey`, and "body" for the body. Empty when the request can be sent. */
export function findFaults(operation: Operation, values: FormValues): Record<string, string> {
  const faults: Record<string, string> = {};
  for (const parameter of operation.parameters) {
    const key = parameterKey(parameter);
    if (parameter.isRequired && (values.parameters[key] ?? '') === '')
      faults[key] = 'Needed for this request';
  }
  if (operation.body) {
    const fault = findBodyFault(values.body, operation.body.contentType);
    const isLeftOut = values.body.trim() === '' && !operation.body.isRequired;
    if (fault !== undefined && !isLeftOut) faults.body = fault;
  }
  return faults;
}

// Other types, such as one JSON record per line, are not one JSON document: only their presence is checked.
function findBodyFault(text: string, contentType: string): string | undefined {
  if (isJsonType(contentType)) return findJsonFault(text);
  return text.trim() === '' ? 'A body is needed' : undefined;
}

function findJsonFault(text: string): string | undefined {
  try {
    JSON.parse(text);
    return undefined;
  } catch (error) {
    return text.trim() === '' ? 'A JSON body is needed' : `Not valid JSON: ${(error as SyntaxError).message}`;
  }
}

export function formatJson(text: string): string {
  try {
    return JSON.stringify(JSON.parse(text), null, 2);
  } catch {
    // The error is shown beside the field; the text stays for the reader to correct.
    return text;
  }
}
