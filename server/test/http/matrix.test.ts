import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { SCOPES, type Scope } from '../../src/domain/model.ts';
import {
  ENDPOINT_CASES,
  type EndpointCase,
  errorText,
  type FilledService,
  GUILD_ID,
  makeFaultyKey,
  startFilledService,
} from './filled-service.ts';

const SCOPE_SETS: readonly (readonly Scope[])[] = Array.from({ length: 2 ** SCOPES.length }, (_, bits) =>
  SCOPES.filter((_scope, position) => (bits >> position) % 2 === 1),
);
const KEY_STATES = ['valid', 'expired', 'deleted', 'unknown', 'mistyped', 'missing'] as const;
type KeyState = (typeof KEY_STATES)[number];

/** Every endpoint with every set of scopes and every state of the key. */
const CASES = ENDPOINT_CASES.flatMap((endpoint) =>
  SCOPE_SETS.flatMap((scopes) =>
    KEY_STATES.map((state) => ({
      endpoint,
      name: endpoint.name,
      scopes,
      listed: scopes.join(' ') || 'no scope',
      state,
    })),
  ),
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

  beforeAll(async () => {
    service = await startFilledService(environment);
  });
  afterAll(() => service.stop());

  test.each(CASES)('$name, $listed, $state key', async ({ endpoint, scopes, state }) => {
    const key =
      state === 'valid'
        ? (await service.addKey(GUILD_ID, scopes)).value
        : await makeFaultyKey(service, state, scopes);
    const { method, url, payload } = endpoint;
    const before = service.countStored();
    const reply = await service.ask({ method, url, key, ...(payload && { payload }) });
    const { status, text } = expectation(endpoint, scopes, state);
    expect({ status: reply.status, text: reply.text }).toEqual({ status, text });
    expect(reply.headers['content-type']).toBe('application/json; charset=utf-8');
    expect(service.countStored() > before).toBe(endpoint.method === 'POST' && status === 200);
  });
});

test('the matrix is whole', () => {
  expect(CASES).toHaveLength(6 * 8 * 6);
  expect(new Set(SCOPE_SETS.map((scopes) => scopes.join())).size).toBe(8);
});
