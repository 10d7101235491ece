import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { SCOPES, type Scope } from '../../src/domain/model.ts';
import {
  ENDPOINT_CASES,
  type EndpointCase,
  errorText,
  expectRefusal,
  type FilledService,
  GUILD_ID,
  KEY_FAULTS,
  makeFaultyKey,
  startFilledService,
} from './filled-service.ts';

/** None, each alone, all but each, and all. */
const SCOPE_SETS: readonly (readonly Scope[])[] = [
  [],
  ...SCOPES.map((scope) => [scope]),
  ...SCOPES.map((left) => SCOPES.filter((scope) => scope !== left)),
  SCOPES,
];
/** States of a key that exists or existed, so that its scopes could matter. */
const STATES_WITH_SCOPES = ['valid', 'expired', 'deleted', 'mistyped'] as const;
/** States in which nothing is known of a key, and hence no scopes. */
const STATES_WITHOUT = ['unknown', 'malformed', 'empty', 'missing'] as const;
type KeyState = (typeof STATES_WITH_SCOPES)[number] | (typeof STATES_WITHOUT)[number];

/** Every state of a key, with every set of scopes where it can have any. */
const KEYS: readonly { state: KeyState; scopes: readonly Scope[]; listed: string }[] = [
  ...STATES_WITH_SCOPES.flatMap((state) =>
    SCOPE_SETS.map((scopes) => ({ state, scopes, listed: scopes.join(' ') || 'no scope' })),
  ),
  ...STATES_WITHOUT.map((state) => ({ state, scopes: [], listed: 'no scope' })),
];
/** Every endpoint with every key. */
const CASES = ENDPOINT_CASES.flatMap((endpoint) =>
  KEYS.map((key) => ({ ...key, key, endpoint, name: endpoint.name })),
);

interface Expected {
  status: number;
  text: string;
}

function expectedFor(endpoint: EndpointCase, scopes: readonly Scope[], state: KeyState): Expected {
  if (endpoint.scope === undefined) {
    return { status: 200, text: endpoint.successText };
  }
  if (state !== 'valid') {
    return { status: 401, text: errorText('Unauthorized - invalid API key', endpoint) };
  }
  return scopes.includes(endpoint.scope)
    ? { status: 200, text: endpoint.successText }
    : { status: 403, text: errorText(`Forbidden - missing required scope: ${endpoint.scope}`, endpoint) };
}

function expectedWithKeyRequired(
  endpoint: EndpointCase,
  scopes: readonly Scope[],
  state: KeyState,
): Expected {
  if (endpoint.scope === undefined && state !== 'valid') {
    return { status: 401, text: '{"message":"Unauthorized - authentication required"}' };
  }
  return expectedFor(endpoint, scopes, state);
}

describe.each([
  { commands: 'public', environment: {}, expectation: expectedFor },
  {
    commands: 'asking for a key',
    environment: { COMMANDS_REQUIRE_KEY: 'true' },
    expectation: expectedWithKeyRequired,
  },
])('with the command list $commands', ({ environment, expectation }) => {
  let service: FilledService;
  const values = new Map<object, string | undefined>();

  beforeAll(async () => {
    service = await startFilledService(environment);
    for (const key of KEYS) {
      const { state, scopes } = key;
      const isValid = state === 'valid';
      values.set(
        key,
        isValid
          ? (await service.addKey(GUILD_ID, scopes)).value
          : await makeFaultyKey(service, state, scopes),
      );
    }
  });
  afterAll(() => service.stop());

  test.each(CASES)('$name, $listed, $state key', async ({ endpoint, scopes, state, key }) => {
    const { method, url, payload } = endpoint;
    const before = service.countStored();
    const reply = await service.ask({ method, url, key: values.get(key), ...(payload && { payload }) });
    const { status, text } = expectation(endpoint, scopes, state);
    if (status === 200) {
      expect({ status: reply.status, text: reply.text }).toEqual({ status, text });
      expect(reply.headers['content-type']).toBe('application/json; charset=utf-8');
    } else {
      expectRefusal(reply, status, text);
    }
    expect(service.countStored() > before).toBe(endpoint.method === 'POST' && status === 200);
  });
});

test('the matrix is whole', () => {
  const sets = 2 * SCOPES.length + 2;
  expect(CASES).toHaveLength(6 * (4 * sets + 4));
  expect(new Set(SCOPE_SETS.map((scopes) => scopes.join())).size).toBe(sets);
  expect(new Set(KEYS.map(({ state }) => state))).toEqual(new Set(['valid', ...KEY_FAULTS]));
});
