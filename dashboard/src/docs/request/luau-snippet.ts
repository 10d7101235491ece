import type { Operation } from '../reference/model.ts';
import type { BuiltRequest } from './build-request.ts';
import type { FormValues } from './form-values.ts';
import { bodyFields, givenQuery, headerValue, isNumeric, pathValues } from './typed-values.ts';

type ArgumentsOf = (operation: Operation, values: FormValues) => string[];

// The calls of the Luau client, see clients/luau/README.md.
const calls: Readonly<Record<string, { method: string; argumentsOf: ArgumentsOf }>> = {
  getDischarge: { method: 'getDischarge', argumentsOf: path },
  getTransfer: { method: 'getTransfer', argumentsOf: path },
  getVerification: { method: 'getUser', argumentsOf: path },
  listCommands: {
    method: 'listCommands',
    argumentsOf: (operation, values) => givenQuery(operation, values).map(({ text }) => luauQuote(text)),
  },
  postTransaction: {
    method: 'postTransaction',
    argumentsOf: (operation, values) => [literal(bodyFields(values)), ...key(operation, values)],
  },
  listTransactions: {
    method: 'listTransactions',
    argumentsOf: (operation, values) => [...path(operation, values), ...query(operation, values)],
  },
  postBatch: {
    method: 'postBatch',
    argumentsOf: (operation, values) => {
      const { transactions = [], ...rest } = bodyFields(values);
      const idempotencyKey = headerValue(operation, values, 'idempotency-key');
      const options = { ...rest, ...(idempotencyKey !== '' && { idempotencyKey }) };
      return [literal(transactions), ...(Object.keys(options).length === 0 ? [] : [literal(options)])];
    },
  },
};

/**
 * The same request for a Roblox game server: with the client where it has the call, else with HttpService. Undefined
 * for requests without a guild's key, which game servers do not send.
 */
export function luauSnippet(
  baseUrl: string,
  operation: Operation,
  { values, request }: { values: FormValues; request: BuiltRequest },
): string | undefined {
  const call = calls[operation.id];
  if (call) return clientCall(baseUrl, call.method, call.argumentsOf(operation, values));
  const isForKey = request.headers.some(({ name }) => name === keyHeader);
  return isForKey ? plainCall(request) : undefined;
}

const keyHeader = 'x-api-key';
const service = 'local HttpService = game:GetService("HttpService")';
const secret = 'HttpService:GetSecret("guildbook")';

function clientCall(baseUrl: string, method: string, given: readonly string[]): string {
  return [
    service,
    'local Guildbook = require(game:GetService("ServerScriptService").Guildbook)',
    '',
    'local guildbook = Guildbook.new({',
    `\tbaseUrl = ${luauQuote(baseUrl)},`,
    `\tapiKey = ${secret},`,
    '})',
    '',
    `local result = guildbook:${method}(${given.join(', ')})`,
    'if not result.ok then',
    '\twarn(result.error.kind .. ": " .. result.error.message)',
    'end',
  ].join('\n');
}

function plainCall({ method, url, headers, body }: BuiltRequest): string {
  const lines = headers.map(
    ({ name, value }) => `\t\t[${luauQuote(name)}] = ${name === keyHeader ? secret : luauQuote(value)},`,
  );
  return [
    service,
    '',
    'local response = HttpService:RequestAsync({',
    `\tUrl = ${luauQuote(url)},`,
    `\tMethod = ${luauQuote(method)},`,
    '\tHeaders = {',
    ...lines,
    '\t},',
    // As text: an encoder may write 0.1 with more decimal places than an amount has.
    ...(body === undefined ? [] : [`\tBody = ${longText(body)},`]),
    '})',
    'local answer = HttpService:JSONDecode(response.Body)',
    'if not response.Success then',
    '\twarn(response.StatusCode, answer.message)',
    'end',
  ].join('\n');
}

function path(operation: Operation, values: FormValues): string[] {
  return pathValues(operation, values).map(luauQuote);
}

function query(operation: Operation, values: FormValues): string[] {
  const given = givenQuery(operation, values).map(({ parameter, text }) => [
    parameter.name,
    isNumeric(parameter, text) ? Number(text) : text,
  ]);
  return given.length === 0 ? [] : [literal(Object.fromEntries(given))];
}

function key(operation: Operation, values: FormValues): string[] {
  const value = headerValue(operation, values, 'idempotency-key');
  return value === '' ? [] : [luauQuote(value)];
}

/** A JSON value as a Luau literal. */
function literal(value: unknown): string {
  if (value === null || value === undefined) return 'nil';
  if (typeof value === 'string') return luauQuote(value);
  if (typeof value !== 'object') return String(value);
  const entries = Array.isArray(value)
    ? value.map((item) => literal(item))
    : Object.entries(value).map(([name, field]) => `${fieldName(name)} = ${literal(field)}`);
  if (entries.length === 0) return '{}';
  return ['{', ...entries.map((entry) => `${entry.replace(/^/gm, '\t')},`), '}'].join('\n');
}

function fieldName(name: string): string {
  return /^[A-Za-z_]\w*$/.test(name) ? name : `[${luauQuote(name)}]`;
}

/** The escapes of JSON are those of Luau, except for code points in hexadecimal. */
export function luauQuote(text: string): string {
  return JSON.stringify(text).replace(/\\(u[0-9a-f]{4}|.)/g, (whole, name: string) =>
    name.length === 5 ? `\\u{${name.slice(1)}}` : whole,
  );
}

/** A text over several lines, in brackets that it does not hold itself. */
export function longText(text: string): string {
  let level = 0;
  while (text.includes(`]${'='.repeat(level)}]`) || text.endsWith(`]${'='.repeat(level)}`)) level += 1;
  const bars = '='.repeat(level);
  return `[${bars}[${text}]${bars}]`;
}
