import { afterAll, beforeAll, expect, test } from 'vitest';
import type { Verification } from '../../src/domain/model.ts';
import { changeAt } from '../support/change.ts';
import {
  ENDPOINT_CASES,
  errorText,
  expectRefusal,
  type FilledService,
  GUILD_ID,
  startFilledService,
  VERIFICATION,
} from './filled-service.ts';

let service: FilledService;

beforeAll(async () => {
  service = await startFilledService();
});
afterAll(() => service.stop());

const find = (query: string, key = service.key) =>
  service.ask({ method: 'GET', url: `/users/${encodeURIComponent(query)}`, key });
const foundChatId = async (query: string) => (await find(query)).body.data?.chatId;

function person(changes: Partial<Verification>): Verification {
  return { chatId: 'c', playerId: 'p', username: 'u', pastUsers: [], ...changes };
}

async function put(...people: Verification[]) {
  await service.store.verifications.put(people, changeAt(service.clock.nowMs()));
}

test('a verification is answered to the letter', async () => {
  const reply = await find(VERIFICATION.chatId);
  expect(reply.status).toBe(200);
  expect(reply.headers['content-type']).toBe('application/json; charset=utf-8');
  expect(reply.text).toBe(ENDPOINT_CASES[2]?.successText);
});

test('a user without past accounts has an empty list of them', async () => {
  await put(person({ chatId: 'c-new', playerId: 'p-new', username: 'Newcomer' }));
  expect((await find('c-new')).text).toBe(
    '{"success":true,"data":{"chatId":"c-new","playerId":"p-new","username":"Newcomer","pastUsers":[]}}',
  );
});

test.each([
  ['chatId', '302817465920118784'],
  ['playerId', '48213977'],
  ['user name', 'Rowan_Ashford'],
  ['user name in another case', 'rOWAN_aSHFORD'],
  ['past playerId', '31177205'],
  ['past user name', 'rowan77'],
  ['past user name in another case', 'LITTLE_ROWAN'],
  ['chatId by name', 'chat:302817465920118784'],
  ['playerId by name', 'player:48213977'],
  ['past playerId by name', 'player:20011223'],
  ['user name by name', 'name:rowan_ashford'],
  ['past user name by name', 'name:ROWAN77'],
])('a user is found by %s (%s)', async (_kind, query) => {
  expect((await find(query)).body).toEqual({ success: true, data: VERIFICATION });
});

test.each([
  'chat:48213977',
  'chat:Rowan_Ashford',
  'player:302817465920118784',
  'player:Rowan_Ashford',
  'name:48213977',
  'name:302817465920118784',
])('%s looks among values of the named kind only', async (query) => {
  expectRefusal(await find(query), 404, errorText('User not found'));
});

test('a value of several kinds means a chatId first, then a playerId, then a user name, then past accounts', async () => {
  await put(
    person({ chatId: '1000', playerId: 'x1', username: 'x1' }),
    person({ chatId: 'is-player', playerId: '1000', username: 'x2' }),
    person({ chatId: 'is-player-2', playerId: '2000', username: 'x3' }),
    person({ chatId: 'is-name', playerId: 'x4', username: '1000' }),
    person({ chatId: 'is-name-2', playerId: 'x5', username: '2000' }),
    person({ chatId: 'is-name-3', playerId: 'x6', username: '3000' }),
    person({
      chatId: 'was-player',
      playerId: 'x7',
      username: 'x7',
      pastUsers: ['1000', '2000', '3000', '4000'].map((playerId) => ({ playerId, username: 'x7' })),
    }),
    person({
      chatId: 'was-name',
      playerId: 'x8',
      username: 'x8',
      pastUsers: ['1000', '2000', '3000', '4000'].map((username) => ({
        playerId: `x8-${username}`,
        username,
      })),
    }),
  );
  expect(await foundChatId('1000')).toBe('1000');
  expect(await foundChatId('2000')).toBe('is-player-2');
  expect(await foundChatId('3000')).toBe('is-name-3');
  expect(await foundChatId('4000')).toBe('was-player');
  expect(await foundChatId('player:1000')).toBe('is-player');
  expect(await foundChatId('name:1000')).toBe('is-name');
  expect(await foundChatId('player:4000')).toBe('was-player');
  expect(await foundChatId('name:4000')).toBe('was-name');
});

test('of two people with one name the one verified last is found', async () => {
  await put(person({ chatId: 'z-first', playerId: 'y1', username: 'Twin' }));
  service.clock.advance(1);
  await put(person({ chatId: 'a-second', playerId: 'y2', username: 'twin' }));
  expect(await foundChatId('TWIN')).toBe('a-second');
});

test('ids are compared with regard to case, names of every script without', async () => {
  await put(person({ chatId: 'AbC', playerId: 'DeF', username: 'Änne_Ödegård' }));
  expect(await foundChatId('AbC')).toBe('AbC');
  expect((await find('abc')).status).toBe(404);
  expect((await find('player:def')).status).toBe(404);
  expect(await foundChatId('änne_ÖDEGÅRD')).toBe('AbC');
});

test.each(['guild:1', 'a:b', 'Chat:1', ':x', '100%', 'a/b', 'a?b#c', 'a+b c', '__proto__', 'toString'])(
  'the user name %s is looked up as it is',
  async (username) => {
    await put(person({ chatId: 'odd', playerId: 'odd', username }));
    expect((await find(username)).body.data?.username).toBe(username);
  },
);

test('the longest user name the service keeps can be looked up', async () => {
  const username = 'n'.repeat(256);
  await put(person({ chatId: 'long', playerId: 'long', username }));
  expect(await foundChatId(`name:${username}`)).toBe('long');
});

test('the longest id the service keeps can be looked up by its kind', async () => {
  const playerId = '9'.repeat(128);
  await put(person({ chatId: 'long-id', playerId, username: 'long-id' }));
  expect(await foundChatId(`player:${playerId}`)).toBe('long-id');
});

test('an unknown user is not found', async () => {
  expectRefusal(await find('nobody'), 404, errorText('User not found'));
});

test('a change of account is seen by the next look-up', async () => {
  await put(person({ chatId: 'mover', playerId: 'old-account', username: 'Mover' }));
  expect(await foundChatId('player:old-account')).toBe('mover');
  await put(person({ chatId: 'mover', playerId: 'new-account', username: 'Mover' }));
  expect((await find('player:old-account')).status).toBe(404);
  expect(await foundChatId('player:new-account')).toBe('mover');
});

test('verifications are the same for every guild', async () => {
  const reply = await find(VERIFICATION.playerId, service.otherKey);
  expect(reply.text).toBe(ENDPOINT_CASES[2]?.successText);
});

test.each(['/users', '/users/', '/users/%20', '/users/chat:', '/users/player:%20', '/users/name:'])(
  '%s lacks its parameter',
  async (url) => {
    const reply = await service.ask({ method: 'GET', url });
    expectRefusal(reply, 400, errorText('Bad request - missing required parameters'));
  },
);

test.each(['/users', '/users/', '/users/%20'])('%s without a key is refused for the key', async (url) => {
  const reply = await service.ask({ method: 'GET', url, key: undefined });
  expectRefusal(reply, 401, errorText('Unauthorized - invalid API key'));
});

test('a key without users:read is refused, even where there is nobody', async () => {
  const { value } = await service.addKey(GUILD_ID, ['guild:read', 'guild:write']);
  const reply = await find('nobody', value);
  expectRefusal(reply, 403, errorText('Forbidden - missing required scope: users:read'));
});
