import type { Operation, Parameter } from '../reference/model.ts';
import { type FormValues, parameterKey } from './form-values.ts';

/** The typed text of a parameter; '' when there is none. */
export function typedValue(parameter: Parameter, values: FormValues): string {
  return values.parameters[parameterKey(parameter)] ?? '';
}

/** The texts of the path parameters, in their order. A missing one is its name, so that the gap is visible. */
export function pathValues(operation: Operation, values: FormValues): string[] {
  return operation.parameters
    .filter(({ place }) => place === 'path')
    .map((parameter) => typedValue(parameter, values) || parameter.name);
}

/** The query parameters that have a text. */
export function givenQuery(
  operation: Operation,
  values: FormValues,
): { parameter: Parameter; text: string }[] {
  return operation.parameters
    .filter(({ place }) => place === 'query')
    .map((parameter) => ({ parameter, text: typedValue(parameter, values) }))
    .filter(({ text }) => text !== '');
}

export function headerValue(operation: Operation, values: FormValues, name: string): string {
  const header = operation.parameters.find((parameter) => parameter.name.toLowerCase() === name);
  return header ? typedValue(header, values) : '';
}

/** The fields of the body. Empty while the text is not a JSON object yet. */
export function bodyFields({ body }: FormValues): Record<string, unknown> {
  try {
    const value: unknown = JSON.parse(body);
    return typeof value === 'object' && value !== null ? { ...value } : {};
  } catch {
    return {};
  }
}

export function isNumeric({ schema }: Parameter, text: string): boolean {
  const [type, other] = schema.types;
  const isNumber = other === undefined && (type === 'integer' || type === 'number');
  return isNumber && Number.isFinite(Number(text));
}
