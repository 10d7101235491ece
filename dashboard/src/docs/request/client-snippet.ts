import type { Operation, Parameter } from '../reference/model.ts';
import { type FormValues, parameterKey } from './form-values.ts';
import { scriptQuote } from './snippets.ts';

/** One call of the client library: what it gives, the method, what goes in. */
interface Call {
  result: string;
  method: string;
  argumentsOf: (operation: Operation, values: FormValues) => string[];
}

// The client's own words for the interface's operations, see client/README.md.
const calls: Readonly<Record<string, Call>> = {
  getDischarge: { result: 'discharge', method: 'getDischarge', argumentsOf: pathTexts },
  getTransfer: { result: 'transfer', method: 'getTransfer', argumentsOf: pathTexts },
  getVerification: { result: 'user', method: 'getUser', argumentsOf: pathTexts },
  listCommands: { result: 'commands', method: 'listCommands', argumentsOf: queryObject },
  listTransactions: {
    result: '{ transactions, pagination }',
    method: 'listTransactions',
    argumentsOf: (operation, values) => [...pathTexts(operation, values), ...queryObject(operation, values)],
  },
  postTransaction: {
    result: '{ transactionId, balance }',
    method: 'postTransaction',
    argumentsOf: (operation, values) => [bodyObject(values), ...idempotencyKey(operation, values)],
  },
};

/** The same request through the client library; undefined for what the library does not offer. */
export function clientSnippet(baseUrl: string, operation: Operation, values: FormValues): string | undefined {
  const call = calls[operation.id];
  if (!call) return undefined;
  const given = call.argumentsOf(operation, values).join(', ');
  return [
    `import { createClient } from '@guildbook/client';`,
    '',
    'const guildbook = createClient({',
    `  baseUrl: ${scriptQuote(baseUrl)},`,
    `  apiKey: process.env.GUILDBOOK_KEY ?? '',`,
    '});',
    '',
    `const ${call.result} = await guildbook.${call.method}(${given});`,
  ].join('\n');
}

function pathTexts(operation: Operation, values: FormValues): string[] {
  return operation.parameters
    .filter(({ place }) => place === 'path')
    .map((parameter) => scriptQuote(typedValue(parameter, values) || parameter.name));
}

function queryObject(operation: Operation, values: FormValues): string[] {
  const given = operation.parameters.filter(
    (parameter) => parameter.place === 'query' && typedValue(parameter, values) !== '',
  );
  if (given.length === 0) return [];
  const entries = given.map(
    (parameter) => `${parameter.name}: ${literal(parameter, typedValue(parameter, values))}`,
  );
  return [`{ ${entries.join(', ')} }`];
}

function idempotencyKey(operation: Operation, values: FormValues): string[] {
  const header = operation.parameters.find(({ name }) => name.toLowerCase() === 'idempotency-key');
  const key = header ? typedValue(header, values) : '';
  return key === '' ? [] : [`{ idempotencyKey: ${scriptQuote(key)} }`];
}

/** The body as an object literal. While it is not JSON yet, an empty one stands in. */
function bodyObject({ body }: FormValues): string {
  try {
    const text = JSON.stringify(JSON.parse(body), null, 2);
    return text.replace(/^( *)"([A-Za-z_$][\w$]*)":/gm, '$1$2:');
  } catch {
    return '{}';
  }
}

function typedValue(parameter: Parameter, values: FormValues): string {
  return values.parameters[parameterKey(parameter)] ?? '';
}

function literal({ schema }: Parameter, text: string): string {
  const isNumber = schema.label === 'integer' || schema.label === 'number';
  return isNumber && Number.isFinite(Number(text)) ? String(Number(text)) : scriptQuote(text);
}
