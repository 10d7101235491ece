import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { transactionBody } from '../support/service.ts';
import { errorText, expectRefusal, type FilledService, MARK, startFilledService } from './filled-service.ts';

const MISSING = errorText('Bad request - missing required fields');
const REQUIRED = ['playerId', 'name', 'quantity', 'amount', 'source'];

let service: FilledService;

beforeAll(async () => {
  service = await startFilledService();
});
afterAll(() => service.stop());

/** Sends JSON text as it stands, since some numbers cannot be written by JSON.stringify. */
const postText = (payload: string) =>
  service.ask({
    method: 'POST',
    url: '/guild/ledger',
    headers: { 'content-type': 'application/json' },
    payload,
  });

/** A good body with one field written as the given JSON text. */
const withField = (field: string, json: string) => {
  const fields = Object.entries(transactionBody({ name: MARK }))
    .filter(([name]) => name !== field)
    .map(([name, value]) => `"${name}":${JSON.stringify(value)}`);
  return `{${[...fields, `"${field}":${json}`].join(',')}}`;
};

async function expectNothingStored(payload: string, refusal: string) {
  const before = service.countStored();
  expectRefusal(await postText(payload), 400, refusal);
  expect(service.countStored()).toBe(before);
}

describe.each(REQUIRED)('%s', (field) => {
  test('is required', async () => {
    const { [field]: _left, ...rest } = transactionBody();
    await expectNothingStored(JSON.stringify(rest), MISSING);
  });

  test('is missing when it is null', async () => {
    await expectNothingStored(withField(field, 'null'), MISSING);
  });

  test.each(['""', '" "', '"\\t\\n"', '"\\u00a0\\u2003"'])(
    'is missing when it is blank: %s',
    async (json) => {
      await expectNothingStored(withField(field, json), MISSING);
    },
  );

  test('is missed before any other fault is named', async () => {
    const faults = { ...transactionBody(), quantity: 0, amount: 'x', name: 5, deposit: 'yes', [field]: null };
    await expectNothingStored(JSON.stringify(faults), MISSING);
  });
});

test.each(['{}', 'null', '{"__proto__":{"playerId":"a","name":"b","quantity":1,"amount":1,"source":"c"}}'])(
  'the body %s lacks every field',
  async (payload) => {
    await expectNothingStored(payload, MISSING);
  },
);

const TEXT_RULE = (length: number) =>
  `text of 1 to ${length} characters without control characters or direction marks`;
const TEXT_FIELDS = [
  { field: 'playerId', length: 128 },
  { field: 'name', length: 256 },
  { field: 'source', length: 256 },
];

describe.each(TEXT_FIELDS)('$field', ({ field, length }) => {
  const refusal = errorText(`Bad request - ${field} must be ${TEXT_RULE(length)}`);

  test.each([
    ['a number', '5'],
    ['true', 'true'],
    ['false', 'false'],
    ['an array', `["${MARK}"]`],
    ['an object', `{"${MARK}":1}`],
    ['a NUL', `"${MARK}\\u0000"`],
    ['a control character', `"${MARK}\\u001b[31m"`],
    ['a line break', `"${MARK}\\nmore"`],
    ['a C1 control character', `"${MARK}\\u0085"`],
    ['a DEL', `"${MARK}\\u007f"`],
    ['a line separator', `"${MARK}\\u2028"`],
    ['a lone high surrogate', `"${MARK}\\ud83e"`],
    ['a lone low surrogate', `"\\udd8a${MARK}"`],
    ['surrogates in the wrong order', `"\\udd8a\\ud83e${MARK}"`],
    ['a right-to-left mark', `"${MARK}\\u200f"`],
    ['a right-to-left override', `"\\u202e${MARK}"`],
    ['an isolate', `"\\u2066${MARK}\\u2069"`],
    ['an Arabic letter mark', `"\\u061c${MARK}"`],
  ])('may not be or hold %s', async (_what, json) => {
    await expectNothingStored(withField(field, json), refusal);
  });

  test(`has at most ${length} characters, counted as people do`, async () => {
    for (const letter of ['x', '🦊']) {
      expect((await postText(withField(field, `"${letter.repeat(length)}"`))).status).toBe(200);
      await expectNothingStored(withField(field, `"${letter.repeat(length + 1)}"`), refusal);
    }
  });

  test.each([
    '__proto__',
    'constructor',
    'toString',
    "'; DROP TABLE account; --",
    '<b>&amp;</b>',
    'مرحبا',
    '\\"\\\\',
  ])('may be %s', async (text) => {
    expect((await postText(withField(field, `"${text}"`))).status).toBe(200);
  });
});

describe('quantity', () => {
  const refusal = errorText('Bad request - quantity must be an integer of at least 1');

  test.each(['0', '-0', '-1', '1.5', '0.9999', '"3"', 'true', '[3]', '{}', '1e400', '-1e400'])(
    'may not be %s',
    async (json) => {
      await expectNothingStored(withField('quantity', json), refusal);
    },
  );

  test.each(['1e30', '9007199254740992', '9007199254740993'])('may not be as large as %s', async (json) => {
    const before = service.countStored();
    const reply = await postText(withField('quantity', json));
    expect(reply.status).toBe(400);
    expect(reply.text).toMatch(/^\{"success":false,"message":"Bad request - quantity must be an integer/);
    expect(service.countStored()).toBe(before);
  });

  test.each(['1', '3.0', '1e2'])('may be %s', async (json) => {
    expect((await postText(withField('quantity', json))).status).toBe(200);
  });

  test('may be as large as the exact range allows', async () => {
    const largest = { playerId: 'many', amount: 0.0001, quantity: Number.MAX_SAFE_INTEGER };
    const reply = await postText(JSON.stringify(transactionBody(largest)));
    expect(reply.status).toBe(200);
    expect(reply.headers['account-balance']).toBe('900719925474.0991');
  });
});

describe('amount', () => {
  test.each(['"12.5"', '"0"', 'true', 'false', '[1]', '{"valueOf":1}', '1e400', '-1e400'])(
    'may not be %s',
    async (json) => {
      const refusal = errorText('Bad request - amount must be a number');
      await expectNothingStored(withField('amount', json), refusal);
    },
  );

  test.each(['0', '-0', '0.0', '0e5', '1e-400'])(
    'may not be zero, however it is written: %s',
    async (json) => {
      await expectNothingStored(
        withField('amount', json),
        errorText('Bad request - amount must not be zero'),
      );
    },
  );

  test.each(['0.00001', '-1.23456', '12.50001', '0.1234500001', '1e-5', '100000000.00001'])(
    'may not have five decimal places: %s',
    async (json) => {
      const refusal = errorText('Bad request - amount must have at most 4 decimal places');
      await expectNothingStored(withField('amount', json), refusal);
    },
  );

  test.each([
    '900719925475',
    '-900719925475',
    '9007199254740993',
    '1e15',
    '-1e300',
    '1.7976931348623157e308',
  ])('may not lie beyond the exact range: %s', async (json) => {
    await expectNothingStored(withField('amount', json), errorText('Bad request - amount is out of range'));
  });

  test.each(['900719925470.0002', '900719925470.0003', '-900719925470.0002'])(
    'is refused where a JSON number no longer tells two amounts apart: %s',
    async (json) => {
      const refusal = errorText('Bad request - amount has more digits than can be kept exactly');
      await expectNothingStored(withField('amount', json), refusal);
    },
  );

  test.each([
    '0.0001',
    '-0.0001',
    '1e-4',
    '12.5000',
    '1E3',
    '549755813887.9999',
    '-900719925474',
    '900719925474.0991',
  ])('may be %s', async (json) => {
    const body = withField('amount', json).replace('"quantity":3', '"quantity":1');
    const unique = body.replace('"48213977"', `"amount ${json}"`);
    const reply = await postText(unique);
    expect(reply.status).toBe(200);
    expect(Number(reply.headers['account-balance'])).toBe(Number(json));
  });
});

test('amount times quantity may not lie beyond the exact range', async () => {
  const body = JSON.stringify(transactionBody({ amount: 300_239_975_158.1, quantity: 3 }));
  await expectNothingStored(body, errorText('Bad request - amount times quantity is out of range'));
});

describe.each(['deposit', 'withdrawal'])('%s', (field) => {
  test.each(['"true"', '1', '0', 'null', '[]', '{}', '""'])('may not be %s', async (json) => {
    const refusal = errorText(`Bad request - ${field} must be true or false`);
    await expectNothingStored(withField(field, json), refusal);
  });
});

test('unknown fields are ignored, prototype names among them', async () => {
  const extra =
    '"type":"withdrawal","total":1,"balance":9,"__proto__":{"amount":-1},"constructor":{"prototype":{}},' +
    '"toString":null,"deep":[[[[{}]]]]';
  const good = JSON.stringify(transactionBody({ playerId: 'extra' }));
  const reply = await postText(`${good.slice(0, -1)},${extra}}`);
  expect(reply.status).toBe(200);
  expect(reply.headers['account-balance']).toBe('37.5');
  expect(Object.prototype).not.toHaveProperty('amount');
});
