import type { Operation, Parameter } from '../reference/model.ts';
import type { FormValues } from './form-values.ts';
import { bodyFields, givenQuery, headerValue, isNumeric, pathValues } from './typed-values.ts';

/** One call of the Python client: the name of its result, the method, the arguments. */
interface Call {
  result: string;
  method: string;
  argumentsOf: (operation: Operation, values: FormValues) => string[];
}

// The client's methods for the interface's operations, see clients/python/README.md.
const calls: Readonly<Record<string, Call>> = {
  getDischarge: { result: 'discharge', method: 'get_discharge', argumentsOf: path },
  getTransfer: { result: 'transfer', method: 'get_transfer', argumentsOf: path },
  getVerification: { result: 'user', method: 'get_user', argumentsOf: path },
  listCommands: { result: 'commands', method: 'list_commands', argumentsOf: query },
  postTransaction: { result: 'posted', method: 'post_transaction', argumentsOf: bodyAndKey },
  listTransactions: { result: 'page', method: 'list_transactions', argumentsOf: pathAndQuery },
  postPayment: { result: 'payment', method: 'pay', argumentsOf: bodyAndKey },
  postBatch: { result: 'results', method: 'post_batch', argumentsOf: batch },
  postReversal: {
    result: 'reversal',
    method: 'reverse',
    argumentsOf: (operation, values) => [...path(operation, values), ...bodyAndKey(operation, values)],
  },
  postReversals: { result: 'reversals', method: 'reverse_all', argumentsOf: reversals },
  getAccount: { result: 'account', method: 'get_account', argumentsOf: pathAndQuery },
  listAccounts: { result: 'page', method: 'list_accounts', argumentsOf: query },
  getTransaction: { result: 'transaction', method: 'get_transaction', argumentsOf: path },
  listHistory: { result: 'page', method: 'list_history', argumentsOf: query },
  readFeed: { result: 'transactions', method: 'read_feed', argumentsOf: query },
  getSeal: { result: 'seal', method: 'get_seal', argumentsOf: () => [] },
  getReceipt: { result: 'receipt', method: 'get_receipt', argumentsOf: path },
  getConsistency: {
    result: 'proof',
    method: 'get_consistency',
    argumentsOf: (operation, values) => givenQuery(operation, values).map(({ text }) => text),
  },
  getKey: { result: 'key', method: 'get_key', argumentsOf: () => [] },
  deleteKey: { result: '', method: 'delete_key', argumentsOf: () => [] },
  getKeyUsage: { result: 'usage', method: 'get_key_usage', argumentsOf: query },
  listKeyRequests: { result: 'page', method: 'list_key_requests', argumentsOf: query },
  ...recordCalls('Discharge'),
  ...recordCalls('Transfer'),
  listWebhooks: { result: 'webhooks', method: 'list_webhooks', argumentsOf: () => [] },
  createWebhook: { result: 'created', method: 'create_webhook', argumentsOf: model('NewWebhook') },
  getWebhook: { result: 'details', method: 'get_webhook', argumentsOf: path },
  putWebhook: {
    result: 'webhook',
    method: 'change_webhook',
    argumentsOf: (operation, values) => [
      ...path(operation, values),
      ...model('WebhookChanges')(operation, values),
    ],
  },
  deleteWebhook: { result: '', method: 'delete_webhook', argumentsOf: path },
  testWebhook: { result: 'attempt', method: 'test_webhook', argumentsOf: path },
  replayWebhook: {
    result: '',
    method: 'replay_webhook',
    argumentsOf: (operation, values) => [...path(operation, values), ...named(bodyFields(values))],
  },
  rotateWebhook: { result: 'rotated', method: 'rotate_webhook', argumentsOf: path },
};

function recordCalls(kind: 'Discharge' | 'Transfer'): Record<string, Call> {
  const noun = kind.toLowerCase();
  const fields = model(`${kind}Fields`);
  const tag = (operation: Operation, values: FormValues) => headerOption(operation, values, 'if-match');
  return {
    [`list${kind}Records`]: { result: 'page', method: `list_${noun}s`, argumentsOf: query },
    [`get${kind}Record`]: { result: 'tagged', method: `read_${noun}`, argumentsOf: path },
    [`put${kind}Record`]: {
      result: 'tagged',
      method: `put_${noun}`,
      argumentsOf: (operation, values) => [
        ...path(operation, values),
        ...fields(operation, values),
        ...tag(operation, values),
      ],
    },
    [`post${kind}Record`]: { result: 'tagged', method: `add_${noun}`, argumentsOf: fields },
    [`delete${kind}Record`]: {
      result: 'existed',
      method: `delete_${noun}`,
      argumentsOf: (operation, values) => [...path(operation, values), ...tag(operation, values)],
    },
  };
}

const packageName = 'guildbook';
const lineLengthMax = 80;

/** The same request with the Python client; undefined for operations that it does not have. */
export function pythonSnippet(baseUrl: string, operation: Operation, values: FormValues): string | undefined {
  const call = calls[operation.id];
  if (!call) return undefined;
  const given = call.argumentsOf(operation, values);
  const start = `${call.result === '' ? '' : `${call.result} = `}guildbook.${call.method}(`;
  const oneLine = `${start}${given.join(', ')})`;
  const isShort = oneLine.length <= lineLengthMax && !oneLine.includes('\n');
  const text = isShort ? oneLine : [start, ...given.map((one) => `${indent(one)},`), ')'].join('\n');
  return [...imports(text), '', clientLine(baseUrl), indent(text)].join('\n');
}

const clientLine = (baseUrl: string) =>
  `with Guildbook(${quote(baseUrl)}, os.environ["GUILDBOOK_KEY"]) as guildbook:`;

/** The imports that a call needs. */
function imports(call: string): string[] {
  const uses = (name: string) => new RegExp(`\\b${name}[.(]`).test(call);
  const times = ['date', 'datetime'].filter(uses);
  const models = ['BatchItem', 'DischargeFields', 'NewWebhook', 'TransferFields', 'WebhookChanges'].filter(
    uses,
  );
  const names = ['Guildbook', ...models].sort();
  return [
    'import os',
    ...(times.length === 0 ? [] : [`from datetime import ${times.join(', ')}`]),
    ...(uses('Decimal') ? ['from decimal import Decimal'] : []),
    '',
    `from ${packageName} import ${names.join(', ')}`,
  ];
}

function path(operation: Operation, values: FormValues): string[] {
  return pathValues(operation, values).map(quote);
}

function query(operation: Operation, values: FormValues): string[] {
  return givenQuery(operation, values)
    .filter(({ parameter }) => parameter.name !== 'playerIds')
    .map(({ parameter, text }) => `${pythonName(parameter.name)}=${queryLiteral(parameter, text)}`);
}

function pathAndQuery(operation: Operation, values: FormValues): string[] {
  return [...path(operation, values), ...query(operation, values)];
}

function bodyAndKey(operation: Operation, values: FormValues): string[] {
  return [...named(bodyFields(values)), ...headerOption(operation, values, 'idempotency-key')];
}

function batch(operation: Operation, values: FormValues): string[] {
  const { transactions, ...rest } = bodyFields(values);
  const items = (Array.isArray(transactions) ? transactions : []).map(
    (item) => `BatchItem.model_validate(${literal(item)})`,
  );
  return [list(items), ...named(rest), ...headerOption(operation, values, 'idempotency-key')];
}

function reversals(operation: Operation, values: FormValues): string[] {
  const { transactionIds = [], ...rest } = bodyFields(values);
  return [literal(transactionIds), ...named(rest), ...headerOption(operation, values, 'idempotency-key')];
}

function model(name: string): Call['argumentsOf'] {
  return (_operation, values) => [`${name}.model_validate(${literal(bodyFields(values))})`];
}

function headerOption(operation: Operation, values: FormValues, header: string): string[] {
  const value = headerValue(operation, values, header);
  return value === '' ? [] : [`${header.replace('-', '_')}=${quote(value)}`];
}

function named(fields: Record<string, unknown>): string[] {
  return Object.entries(fields).map(([name, value]) => `${pythonName(name)}=${timeOr(name, value)}`);
}

/** `from` is a word of the language; the client calls it `source`. */
function pythonName(name: string): string {
  return name === 'from' ? 'source' : name.replace(/\p{Lu}/gu, (letter) => `_${letter.toLowerCase()}`);
}

function queryLiteral(parameter: Parameter, text: string): string {
  return isNumeric(parameter, text) ? literal(Number(text)) : timeOr(parameter.name, text);
}

const timeNames: ReadonlySet<string> = new Set(['at', 'since', 'until']);

function timeOr(name: string, value: unknown): string {
  if (!timeNames.has(name) || typeof value !== 'string') return literal(value);
  return `${value.includes('T') ? 'datetime' : 'date'}.fromisoformat(${quote(value)})`;
}

/** A JSON value as a Python literal. The client refuses floats, so that a number with decimals is a Decimal. */
function literal(value: unknown): string {
  if (value === null || value === undefined) return 'None';
  if (typeof value === 'boolean') return value ? 'True' : 'False';
  if (typeof value === 'number') return Number.isInteger(value) ? String(value) : `Decimal("${value}")`;
  if (typeof value === 'string') return quote(value);
  if (Array.isArray(value)) return list(value.map(literal));
  const fields = Object.entries(value).map(([name, field]) => `${quote(name)}: ${literal(field)}`);
  return fields.length === 0 ? '{}' : ['{', ...fields.map((field) => `${indent(field)},`), '}'].join('\n');
}

function list(items: readonly string[]): string {
  const oneLine = `[${items.join(', ')}]`;
  const isShort = oneLine.length <= lineLengthMax && !oneLine.includes('\n');
  return isShort ? oneLine : ['[', ...items.map((item) => `${indent(item)},`), ']'].join('\n');
}

/** A JSON text is a Python literal: both have the same escapes. */
export function quote(text: string): string {
  return JSON.stringify(text);
}

/** Indents every line. Quoted texts have no line breaks. */
function indent(text: string): string {
  return text.replace(/^/gm, '    ');
}
