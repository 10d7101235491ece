import type { CredentialScheme, Operation, Parameter, Security } from '../reference/model.ts';
import { type FormValues, parameterKey } from './form-values.ts';

export interface BuiltRequest {
  method: string;
  url: string;
  headers: RequestHeader[];
  body: string | undefined;
}

export interface RequestHeader {
  name: string;
  value: string;
  /** The part of the value to mask when it is shown; undefined when there is no secret. */
  secret: string | undefined;
}

/** The entered credentials, by scheme name. */
export type CredentialValues = Readonly<Record<string, string>>;

export interface RequestSource {
  /** Scheme, host and the document's base path. */
  baseUrl: string;
  operation: Operation;
  values: FormValues;
  schemes: CredentialScheme[];
  credentials: CredentialValues;
  /** Inserts a placeholder for a missing credential: for snippets, never for sending. */
  withStandIns?: boolean;
}

export function buildRequest(source: RequestSource): BuiltRequest {
  const { operation, values } = source;
  const body = operation.body && values.body.trim() !== '' ? values.body : undefined;
  const headers = [...credentialHeaders(source), ...parameterHeaders(operation, values)];
  if (body !== undefined && operation.body) {
    headers.push({ name: 'content-type', value: operation.body.contentType, secret: undefined });
  }
  return { method: operation.method, url: buildUrl(source), headers, body };
}

function buildUrl({ baseUrl, operation, values }: RequestSource): string {
  const typed = (parameter: Parameter) => values.parameters[parameterKey(parameter)] ?? '';
  let path = operation.path;
  for (const parameter of operation.parameters.filter(({ place }) => place === 'path')) {
    const value = typed(parameter);
    // A parameter without a value keeps its name in the address, so that the gap is visible.
    if (value !== '') path = path.replaceAll(`{${parameter.name}}`, encodeURIComponent(value));
  }
  const query = new URLSearchParams();
  for (const parameter of operation.parameters.filter(({ place }) => place === 'query')) {
    const value = typed(parameter);
    const isList = parameter.schema.types[0] === 'array';
    const entries = isList ? value.split(',').map((entry) => entry.trim()) : [value];
    for (const entry of entries.filter((text) => text !== '')) query.append(parameter.name, entry);
  }
  const search = query.toString();
  return `${baseUrl}${path}${search === '' ? '' : `?${search}`}`;
}

function parameterHeaders(operation: Operation, values: FormValues): RequestHeader[] {
  return operation.parameters
    .filter(({ place }) => place === 'header')
    .map((parameter) => ({
      name: parameter.name,
      value: values.parameters[parameterKey(parameter)] ?? '',
      secret: undefined,
    }))
    .filter(({ value }) => value !== '');
}

function credentialHeaders({
  operation,
  schemes,
  credentials,
  withStandIns,
}: RequestSource): RequestHeader[] {
  return chooseSchemes(operation.security, credentials).flatMap((id) => {
    const scheme = schemes.find((candidate) => candidate.id === id);
    const secret = credentials[id] || undefined;
    if (!scheme || (secret === undefined && !withStandIns)) return [];
    const isBearer = scheme.kind === 'bearer';
    const text = secret ?? (isBearer ? 'YOUR_TOKEN' : 'YOUR_API_KEY');
    return [{ name: scheme.header, value: isBearer ? `Bearer ${text}` : text, secret }];
  });
}

/** The first set of schemes that the reader has filled in, else the first set. */
export function chooseSchemes(security: Security, credentials: CredentialValues): string[] {
  const isFilled = (set: string[]) => set.every((id) => Boolean(credentials[id]));
  return (
    security.alternatives.find(isFilled) ?? (security.isOptional ? [] : (security.alternatives[0] ?? []))
  );
}
