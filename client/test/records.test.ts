import { createClient } from '@guildbook/client';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { type Place, startPlace } from './support/place.ts';
import { refusalOf } from './support/refusal.ts';
import {
  COMMANDS,
  DISCHARGE,
  ODD_DISCHARGE,
  OTHER_GUILD_ID,
  TRANSFER,
  VERIFICATIONS,
} from './support/specimens.ts';

let place: Place;
beforeAll(async () => {
  place = await startPlace();
});
afterAll(() => place.stop());

describe('getDischarge', () => {
  test('gives the record itself', async () => {
    expect(await place.connect().getDischarge('dis_1')).toEqual(DISCHARGE);
  });

  test('encodes whatever an id is made of', async () => {
    expect(await place.connect().getDischarge(ODD_DISCHARGE.id)).toEqual(ODD_DISCHARGE);
  });

  test.each([
    ['an unknown one', {}, 'dis_9'],
    ['one of another guild', { guildId: OTHER_GUILD_ID }, 'dis_1'],
  ])('%s is not found, and the error names the answer', async (_name, who, id) => {
    const error = await refusalOf(place.connect({}, who).getDischarge(id));
    expect(error).toMatchObject({ kind: 'not-found', status: 404, message: 'Discharge not found' });
    expect(error.requestId).toMatch(/^[\w-]{8}-[0-9a-z]+$/);
  });

  test('an id that is empty or too long is a bad request', async () => {
    const missing = await refusalOf(place.connect().getDischarge(''));
    expect(missing).toMatchObject({
      kind: 'bad-request',
      status: 400,
      message: 'Bad request - missing required parameters',
    });
    expect(await refusalOf(place.connect().getDischarge('x'.repeat(129)))).toMatchObject({
      kind: 'bad-request',
      status: 400,
    });
  });

  test.each(['.', '..', '\ud800'])('the id %j, which no address can carry, is not sent', async (id) => {
    const client = place.connect({ fetch: () => Promise.reject(new Error('sent')) });
    const error = await refusalOf(client.getDischarge(id));
    expect(error).toMatchObject({ kind: 'bad-request', status: undefined });
  });
});

describe('getTransfer', () => {
  test('gives the record itself', async () => {
    expect(await place.connect().getTransfer('trf_1')).toEqual(TRANSFER);
  });

  test('an unknown one is not found, and the bare error body is read as well', async () => {
    expect(await refusalOf(place.connect().getTransfer('trf_9'))).toMatchObject({
      kind: 'not-found',
      status: 404,
      message: 'Transfer not found',
    });
  });

  test('an empty id is a bad request', async () => {
    expect(await refusalOf(place.connect().getTransfer(''))).toMatchObject({ kind: 'bad-request' });
  });
});

describe('getUser', () => {
  test.each(['302817465920118784', 'player:48213977', 'ROWAN_ashford', 'name:rowan77'])(
    'finds the person by %s',
    async (query) => {
      expect(await place.connect().getUser(query)).toEqual(VERIFICATIONS[0]);
    },
  );

  test('an unknown one is not found', async () => {
    const error = await refusalOf(place.connect().getUser('nobody'));
    expect(error).toMatchObject({ kind: 'not-found', status: 404, message: 'User not found' });
  });

  test('an empty query is a bad request', async () => {
    expect(await refusalOf(place.connect().getUser(' '))).toMatchObject({ kind: 'bad-request' });
  });
});

describe('listCommands', () => {
  test('gives all commands, or those of one category', async () => {
    const client = place.connect();
    expect(await client.listCommands()).toEqual(COMMANDS);
    expect(await client.listCommands({ category: 'economy' })).toEqual([COMMANDS[0]]);
    expect(await client.listCommands({ category: 'a&b=c' })).toEqual([]);
  });

  test('a text that is not allowed is a bad request', async () => {
    const error = await refusalOf(place.connect().listCommands({ category: '\u0000' }));
    expect(error).toMatchObject({ kind: 'bad-request', status: 400 });
  });

  test('a server that asks for a key here gets it', async () => {
    const guarded = await startPlace({ COMMANDS_REQUIRE_KEY: 'true' });
    try {
      expect(await guarded.connect().listCommands()).toEqual(COMMANDS);
      const stranger = createClient({ baseUrl: guarded.address, apiKey: 'gbk_wrong' });
      expect(await refusalOf(stranger.listCommands())).toMatchObject({
        kind: 'unauthorized',
        status: 401,
        message: 'Unauthorized - authentication required',
      });
    } finally {
      await guarded.stop();
    }
  });
});

describe('every protected read', () => {
  const reads = [
    ['getDischarge', 'guild:read', 'dis_1'],
    ['getTransfer', 'guild:read', 'trf_1'],
    ['getUser', 'users:read', '48213977'],
    ['listTransactions', 'guild:read', '48213977'],
  ] as const;

  test.each(reads)('%s with a wrong key is unauthorized', async (method, _scope, id) => {
    const client = createClient({ baseUrl: place.address, apiKey: `gbk_${'x'.repeat(46)}` });
    expect(await refusalOf(client[method](id))).toMatchObject({
      kind: 'unauthorized',
      status: 401,
      message: 'Unauthorized - invalid API key',
    });
  });

  test.each(reads)('%s without the scope %s is forbidden', async (method, scope, id) => {
    const client = place.connect({}, { scopes: ['guild:write'] });
    expect(await refusalOf(client[method](id))).toMatchObject({
      kind: 'forbidden',
      status: 403,
      message: `Forbidden - missing required scope: ${scope}`,
    });
  });
});
