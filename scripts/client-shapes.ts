import { declaredSchemas, HEADER } from './client-types.ts';
import { asObject, type Json, listAt, objectAt } from './json-values.ts';

/** The answers that the client checks. A shape that is a field of another one stands before it. */
const CHECKED = [
  'Discharge',
  'Transfer',
  'PastUser',
  'Verification',
  'BotCommand',
  'Guild',
  'ImportLine',
  'PostTransactionReply',
  'LedgerTransaction',
  'Pagination',
  'LedgerEntry',
  'Account',
  'RankedAccount',
  'BatchResult',
  'PostPaymentReplyData',
  'GetSealReplyData',
  'Receipt',
  'GetConsistencyReplyData',
  'ApiKey',
  'KeyHour',
  'KeyRequest',
  'Webhook',
  'WebhookAttempt',
];

/** The text of client/src/shapes.ts: for each checked answer a guard of its required fields. Values of enumerations are not checked. */
export function clientShapes(document: unknown): string {
  const schemas = declaredSchemas(document);
  const shapes = CHECKED.map((name) => shapeText(name, asObject(schemas.get(name), name)));
  const types = CHECKED.toSorted((a, b) => (a < b ? -1 : 1)).map((name) => `  ${name},\n`);
  const imports =
    "import { listOf, shape } from './check-shape.ts';\n" +
    `import type {\n${types.join('')}} from './schema.ts';`;
  return `${[HEADER, imports, ...shapes].join('\n\n')}\n`;
}

function shapeText(name: string, schema: Json): string {
  const required = new Set(listAt(schema, 'required'));
  const fields = Object.entries(objectAt(schema, 'properties')).filter(([key]) => required.has(key));
  const lines = fields.map(([key, field]) => `  ${key}: ${checkOf(asObject(field, key))},\n`);
  return `export const is${name} = shape<${name}>({\n${lines.join('')}});`;
}

/** The check of a field: a kind in quotes, or the guard of a list of shapes. */
function checkOf(field: Json): string {
  const types = typesOf(field);
  const [type, ...others] = types.filter((one) => one !== 'null');
  if (type === undefined || others.length > 0) {
    throw new Error(`a field of several kinds cannot be checked: ${JSON.stringify(field)}`);
  }
  if (type === 'array') {
    const items = objectAt(field, 'items');
    const name = referenceOf(items);
    return name !== undefined && CHECKED.includes(name)
      ? `listOf(is${name})`
      : `'${checkOf(items).slice(1, -1)}[]'`;
  }
  const kind = type === 'integer' ? 'number' : type;
  return types.includes('null') ? `'${kind}?'` : `'${kind}'`;
}

function typesOf(field: Json): unknown[] {
  if (referenceOf(field) !== undefined) {
    return ['object'];
  }
  if (field.type === undefined && 'const' in field) {
    return [typeof field.const];
  }
  return Array.isArray(field.type) ? field.type : [field.type];
}

function referenceOf({ $ref }: Json): string | undefined {
  return typeof $ref === 'string' ? $ref.replace(/^#\/components\/schemas\//, '') : undefined;
}
