import type { Operation, Parameter } from '../reference/model.ts';
import type { FormValues } from './form-values.ts';
import { scriptQuote } from './snippets.ts';
import { bodyFields, givenQuery, headerValue, isNumeric, pathValues } from './typed-values.ts';

/** One call of the client library: the name of its result, the method, the arguments. */
interface Call {
  result: string;
  method: string;
  argumentsOf: (operation: Operation, values: FormValues) => string[];
}

// The client's methods for the interface's operations, see client/README.md.
const calls: Readonly<Record<string, Call>> = {
  getDischarge: { result: 'discharge', method: 'getDischarge', argumentsOf: pathTexts },
  getTransfer: { result: 'transfer', method: 'getTransfer', argumentsOf: pathTexts },
  getVerification: { result: 'user', method: 'getUser', argumentsOf: pathTexts },
  listCommands: { result: 'commands', method: 'listCommands', argumentsOf: queryObject },
  listTransactions: {
    result: '{ transactions, pagination }',
    method: 'listTransactions',
    argumentsOf: pathAndQuery,
  },
  postTransaction: {
    result: '{ transactionId, balance }',
    method: 'postTransaction',
    argumentsOf: bodyAndKey,
  },
  postPayment: { result: '{ paymentId, from, to }', method: 'pay', argumentsOf: bodyAndKey },
  postBatch: { result: 'results', method: 'postBatch', argumentsOf: partAndRest('transactions') },
  postReversal: {
    result: '{ transaction, reversed }',
    method: 'reverse',
    argumentsOf: (operation, values) => [...pathTexts(operation, values), ...restObject(operation, values)],
  },
  postReversals: { result: 'reversals', method: 'reverseAll', argumentsOf: partAndRest('transactionIds') },
  getAccount: { result: 'account', method: 'getAccount', argumentsOf: pathAndQuery },
  listAccounts: { result: 'page', method: 'listAccounts', argumentsOf: queryObject },
  getTransaction: { result: 'transaction', method: 'getTransaction', argumentsOf: pathTexts },
  listHistory: { result: 'page', method: 'listHistory', argumentsOf: queryObject },
  readFeed: { result: 'transactions', method: 'readFeed', argumentsOf: queryObject },
  getSeal: { result: 'seal', method: 'getSeal', argumentsOf: () => [] },
  getReceipt: { result: 'receipt', method: 'getReceipt', argumentsOf: pathTexts },
  getConsistency: {
    result: '{ checkpoint, proof }',
    method: 'getConsistency',
    argumentsOf: (operation, values) =>
      givenQuery(operation, values).map(({ parameter, text }) => literal(parameter, text)),
  },
  getKey: { result: 'key', method: 'getKey', argumentsOf: () => [] },
  deleteKey: { result: '', method: 'deleteKey', argumentsOf: () => [] },
  getKeyUsage: { result: '{ since, hours }', method: 'getKeyUsage', argumentsOf: queryObject },
  listKeyRequests: { result: 'page', method: 'listKeyRequests', argumentsOf: queryObject },
  ...recordCalls('Discharge'),
  ...recordCalls('Transfer'),
  listWebhooks: { result: 'webhooks', method: 'listWebhooks', argumentsOf: () => [] },
  createWebhook: { result: '{ webhook, secret }', method: 'createWebhook', argumentsOf: bodyOnly },
  getWebhook: { result: '{ webhook, attempts }', method: 'getWebhook', argumentsOf: pathTexts },
  putWebhook: { result: 'webhook', method: 'changeWebhook', argumentsOf: pathAndBody },
  deleteWebhook: { result: '', method: 'deleteWebhook', argumentsOf: pathTexts },
  testWebhook: { result: 'attempt', method: 'testWebhook', argumentsOf: pathTexts },
  replayWebhook: { result: '', method: 'replayWebhook', argumentsOf: pathAndBody },
  rotateWebhook: { result: '{ webhook, secret }', method: 'rotateWebhook', argumentsOf: pathTexts },
};

function recordCalls(kind: 'Discharge' | 'Transfer'): Record<string, Call> {
  const result = '{ record, etag }';
  const guarded = (argumentsOf: Call['argumentsOf']): Call['argumentsOf'] => {
    return (operation, values) => [...argumentsOf(operation, values), ...ifMatch(operation, values)];
  };
  return {
    [`list${kind}Records`]: { result: 'page', method: `list${kind}s`, argumentsOf: queryObject },
    [`get${kind}Record`]: { result, method: `read${kind}`, argumentsOf: pathTexts },
    [`put${kind}Record`]: { result, method: `put${kind}`, argumentsOf: guarded(pathAndBody) },
    [`post${kind}Record`]: { result, method: `add${kind}`, argumentsOf: bodyOnly },
    [`delete${kind}Record`]: { result: 'existed', method: `delete${kind}`, argumentsOf: guarded(pathTexts) },
  };
}

/** The same request with the client library; undefined for operations that the library does not have. */
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
    `${call.result === '' ? '' : `const ${call.result} = `}await guildbook.${call.method}(${given});`,
  ].join('\n');
}

function pathTexts(operation: Operation, values: FormValues): string[] {
  return pathValues(operation, values).map(scriptQuote);
}

function queryObject(operation: Operation, values: FormValues): string[] {
  const given = givenQuery(operation, values);
  if (given.length === 0) return [];
  const entries = given.map(({ parameter, text }) => `${parameter.name}: ${literal(parameter, text)}`);
  return [`{ ${entries.join(', ')} }`];
}

function pathAndQuery(operation: Operation, values: FormValues): string[] {
  return [...pathTexts(operation, values), ...queryObject(operation, values)];
}

function bodyOnly(_operation: Operation, values: FormValues): string[] {
  return [objectText(bodyFields(values))];
}

function pathAndBody(operation: Operation, values: FormValues): string[] {
  return [...pathTexts(operation, values), ...bodyOnly(operation, values)];
}

function bodyAndKey(operation: Operation, values: FormValues): string[] {
  return [...bodyOnly(operation, values), ...headerOption(operation, values, idempotency)];
}

/** One field of the body is the first argument, the others are options. */
function partAndRest(part: string): Call['argumentsOf'] {
  return (operation, values) => [
    objectText(bodyFields(values)[part] ?? []),
    ...restObject(operation, values, part),
  ];
}

/** The body without the field that is already an argument, together with the idempotency key. */
function restObject(operation: Operation, values: FormValues, given = ''): string[] {
  const { [given]: _given, ...rest } = bodyFields(values);
  const key = headerValue(operation, values, idempotency.header);
  const options = { ...rest, ...(key !== '' && { idempotencyKey: key }) };
  return Object.keys(options).length === 0 ? [] : [objectText(options)];
}

const idempotency = { header: 'idempotency-key', option: 'idempotencyKey' } as const;

function ifMatch(operation: Operation, values: FormValues): string[] {
  return headerOption(operation, values, { header: 'if-match', option: 'ifMatch' });
}

function headerOption(
  operation: Operation,
  values: FormValues,
  { header, option }: { header: string; option: string },
): string[] {
  const value = headerValue(operation, values, header);
  return value === '' ? [] : [`{ ${option}: ${scriptQuote(value)} }`];
}

/** JSON as a TypeScript literal. */
function objectText(value: unknown): string {
  return JSON.stringify(value, null, 2).replace(/^( *)"([A-Za-z_$][\w$]*)":/gm, '$1$2:');
}

function literal(parameter: Parameter, text: string): string {
  return isNumeric(parameter, text) ? String(Number(text)) : scriptQuote(text);
}
