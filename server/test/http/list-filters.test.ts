import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { transactionBody } from '../support/service.ts';
import { errorText, expectRefusal, type FilledService, MARK, startFilledService } from './filled-service.ts';

/** The account that every test here reads, in the order of posting. */
const POSTED = [
  { name: 'a', amount: 5, quantity: 2, source: 'shop' },
  { name: 'b', amount: -3, quantity: 7, source: 'market' },
  { name: 'c', amount: 0.5, quantity: 40, source: 'shop' },
  { name: 'd', amount: 5, quantity: 1, source: 'Shop' },
  { name: 'e', amount: -20, quantity: 1, source: 'shop' },
  { name: 'f', amount: 100, quantity: 2, source: 'quest reward & more' },
];

let service: FilledService;

beforeAll(async () => {
  service = await startFilledService();
  for (const one of POSTED) {
    const payload = transactionBody({ ...one, playerId: 'p1' });
    await service.ask({ method: 'POST', url: '/guild/ledger', payload });
  }
});
afterAll(() => service.stop());

const list = (query: string) => service.ask({ method: 'GET', url: `/guild/ledger/p1/transactions?${query}` });

async function namesAndTotal(query: string): Promise<[string, number]> {
  const { body, status } = await list(query);
  expect(status).toBe(200);
  const names = body.data.transactions.map(({ name }: { name: string }) => name).join('');
  return [names, body.pagination.total];
}

test.each([
  ['', 'fedcba'],
  ['sortOrder=desc', 'fedcba'],
  ['sortOrder=asc', 'abcdef'],
  ['sortBy=createdAt&sortOrder=asc', 'abcdef'],
  ['sortBy=amount', 'fdacbe'],
  ['sortBy=amount&sortOrder=asc', 'ebcadf'],
  ['sortBy=quantity', 'cbfaed'],
  ['sortBy=quantity&sortOrder=asc', 'deafbc'],
  ['sortBy=total', 'fcadeb'],
  ['sortBy=total&sortOrder=asc', 'bedacf'],
])('"%s" gives the order %s; equal ones follow the order of posting', async (query, names) => {
  expect(await namesAndTotal(query)).toEqual([names, 6]);
});

test.each([
  ['from=shop', 'eca'],
  ['from=Shop', 'd'],
  ['from=market', 'b'],
  ['from=quest%20reward%20%26%20more', 'f'],
  ['from=quest+reward+%26+more', 'f'],
  ['from=sho', ''],
  ['from=%25', ''],
  ['from=__proto__', ''],
  ['minAmount=0', 'fdca'],
  ['minAmount=0.5', 'fdca'],
  ['minAmount=0.5001', 'fda'],
  ['minAmount=5', 'fda'],
  ['minAmount=5e0', 'fda'],
  ['minAmount=100.0001', ''],
  ['minAmount=-0', 'fdca'],
  ['maxAmount=0', 'eb'],
  ['maxAmount=0.5', 'ecb'],
  ['maxAmount=5', 'edcba'],
  ['maxAmount=900719925474', 'fedcba'],
  ['minAmount=5&maxAmount=5', 'da'],
  ['minAmount=0&maxAmount=0', ''],
  ['minAmount=0.5&maxAmount=5', 'dca'],
  ['from=shop&minAmount=0', 'ca'],
  ['from=shop&minAmount=1&maxAmount=10', 'a'],
])('"%s" lists %s and counts no more', async (query, names) => {
  expect(await namesAndTotal(query)).toEqual([names, names.length]);
});

test('filters, order and pages combine', async () => {
  expect(await namesAndTotal('from=shop&sortBy=amount&sortOrder=asc&limit=2')).toEqual(['ec', 3]);
  expect(await namesAndTotal('from=shop&sortBy=amount&sortOrder=asc&limit=2&page=2')).toEqual(['a', 3]);
  expect(await namesAndTotal('minAmount=0&sortBy=total&limit=1&page=2')).toEqual(['c', 4]);
  expect((await list('from=shop&limit=2')).body.pagination).toEqual({
    page: 1,
    limit: 2,
    total: 3,
    totalPages: 2,
  });
  expect((await list('from=none')).body.pagination).toEqual({ page: 1, limit: 20, total: 0, totalPages: 0 });
});

const PAGE_RULE = errorText('Bad request - page must be an integer of at least 1');
const LIMIT_RULE = errorText('Bad request - limit must be an integer from 1 to 100');
const NOT_NUMBERS = [
  '',
  'x',
  MARK,
  '%20',
  '%201',
  '1%20',
  '+1',
  '%2B1',
  '0x10',
  '01',
  '.5',
  '1.',
  '1,5',
  '1_0',
].concat([
  'NaN',
  'Infinity',
  '-Infinity',
  'null',
  'true',
  '[1]',
  '1e',
  '1e400',
  '-1e400',
  '1n',
  '%D9%A1',
  '%00',
]);

describe('page and limit are never clamped or guessed', () => {
  test.each([...NOT_NUMBERS, '0', '-0', '-1', '1.5', '1e-1', '9007199254740993', '1e30'])(
    'page=%s',
    async (value) => expectRefusal(await list(`page=${value}`), 400, PAGE_RULE),
  );

  test.each([...NOT_NUMBERS, '0', '-0', '-1', '1.5', '101', '1e3', '9007199254740993'])(
    'limit=%s',
    async (value) => expectRefusal(await list(`limit=${value}`), 400, LIMIT_RULE),
  );
});

describe.each(['minAmount', 'maxAmount'])('%s', (name) => {
  const refusal = (rule: string) => errorText(`Bad request - ${name} ${rule}`);

  test.each([...NOT_NUMBERS, '-1', '-0.0001', '-1e-300'])('may not be %s', async (value) => {
    expectRefusal(await list(`${name}=${value}`), 400, refusal('must be a number of at least 0'));
  });

  test.each(['0.00001', '1.23456', '1e-5'])('may not have five decimal places: %s', async (value) => {
    expectRefusal(await list(`${name}=${value}`), 400, refusal('must have at most 4 decimal places'));
  });

  test.each(['900719925475', '1e300'])('may not lie beyond the exact range: %s', async (value) => {
    expectRefusal(await list(`${name}=${value}`), 400, refusal('is out of range'));
  });
});

test.each([
  'minAmount=5&maxAmount=4.9999',
  'maxAmount=0&minAmount=0.0001',
  'minAmount=900719925474&maxAmount=1',
])('a minimum above the maximum is refused: %s', async (query) => {
  const refusal = errorText('Bad request - minAmount must not be above maxAmount');
  expectRefusal(await list(query), 400, refusal);
});

test.each([
  '',
  MARK,
  'Amount',
  'createdat',
  'seq',
  'name',
  '__proto__',
  'constructor',
  'amount,total',
  'amount%20',
])('sortBy=%s is refused', async (value) => {
  const rule = 'Bad request - sortBy must be one of: amount, quantity, total, createdAt';
  expectRefusal(await list(`sortBy=${value}`), 400, errorText(rule));
});

test.each(['', MARK, 'ASC', 'Desc', 'ascending', '1', 'toString'])(
  'sortOrder=%s is refused',
  async (value) => {
    const rule = 'Bad request - sortOrder must be one of: asc, desc';
    expectRefusal(await list(`sortOrder=${value}`), 400, errorText(rule));
  },
);

test.each(['', '%20', '%00', `${MARK}%00`, '%0A', '%E2%80%AE', 'x'.repeat(257)])(
  'from=%s is refused',
  async (value) => {
    const rule = 'from must be text of 1 to 256 characters without control characters or direction marks';
    expectRefusal(await list(`from=${value}`), 400, errorText(`Bad request - ${rule}`));
  },
);

test.each([
  ['page', 'an integer of at least 1', '1'],
  ['limit', 'an integer from 1 to 100', '10'],
  ['from', 'text of 1 to 256 characters without control characters or direction marks', 'shop'],
  ['minAmount', 'a number of at least 0', '1'],
  ['maxAmount', 'a number of at least 0', '1'],
  ['sortBy', 'one of: amount, quantity, total, createdAt', 'amount'],
  ['sortOrder', 'one of: asc, desc', 'asc'],
])('%s may be given once only, and plainly', async (name, rule, value) => {
  const refusal = errorText(`Bad request - ${name} must be ${rule}`);
  for (const query of [
    `${name}=${value}&${name}=${value}`,
    `${name}[]=${value}`,
    `${name}[0]=${value}`,
    `${name}[${MARK}]=${value}`,
    `${name}=${value}&${name}[]=${value}`,
  ]) {
    expectRefusal(await list(query), 400, refusal);
  }
});

test('parameters that nobody knows are ignored', async () => {
  const unknown = 'Page=0&LIMIT=0&offset=3&__proto__=x&constructor=y&toString[]=z&hasOwnProperty=1';
  expect(await namesAndTotal(unknown)).toEqual(['fedcba', 6]);
});

test('a wrong parameter is refused however many others stand before it', async () => {
  const others = Array.from({ length: 150 }, (_, index) => `p${index}=1`).join('&');
  expectRefusal(await list(`${others}&limit=101`), 400, LIMIT_RULE);
});
