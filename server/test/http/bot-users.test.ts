import { afterAll, beforeAll, beforeEach, expect, test } from 'vitest';
import { CHANGE } from '../contract/specimens.ts';
import type { TestReply } from '../support/service.ts';
import { type BotService, startBotService } from './bot-service.ts';
import { errorText, expectRefusal, VERIFICATION } from './filled-service.ts';

let service: BotService;

beforeAll(async () => {
  service = await startBotService();
});
afterAll(() => service.stop());
/** Each test begins with the one person that the service was filled with. */
beforeEach(async () => {
  for (const chatId of ['900', '901', VERIFICATION.chatId]) {
    await service.bot('DELETE', `/bot/users/${chatId}`);
  }
  await service.store.verifications.put([VERIFICATION], CHANGE);
});

const verify = (chatId: string, payload: object): Promise<TestReply> =>
  service.bot('PUT', `/bot/users/${chatId}`, { payload });
const lookUp = (query: string): Promise<TestReply> =>
  service.ask({ method: 'GET', url: `/users/${encodeURIComponent(query)}` });

test('a verification that is put can be looked up by chat id, player id and name', async () => {
  const put = await verify('900', { playerId: '1', username: 'Wren' });
  const data = { chatId: '900', playerId: '1', username: 'Wren', pastUsers: [] };
  expect({ status: put.status, text: put.text }).toEqual({
    status: 200,
    text: JSON.stringify({ success: true, data }),
  });
  for (const query of ['900', '1', 'wren', 'chat:900', 'player:1', 'name:WREN']) {
    expect((await lookUp(query)).text).toBe(put.text);
  }
});

test('the account before moves into pastUsers, newest first, and is still found by', async () => {
  await verify('900', { playerId: '1', username: 'Wren' });
  await verify('900', { playerId: '2', username: 'Wren_II' });
  const put = await verify('900', { playerId: '3', username: 'Wren_III' });
  const data = {
    chatId: '900',
    playerId: '3',
    username: 'Wren_III',
    pastUsers: [
      { playerId: '2', username: 'Wren_II' },
      { playerId: '1', username: 'Wren' },
    ],
  };
  expect(put.body).toEqual({ success: true, data });
  for (const query of ['1', 'player:2', 'name:wren_ii', 'Wren']) {
    expect((await lookUp(query)).body).toEqual({ success: true, data });
  }
});

test('going back to an earlier account leaves it out of the past ones', async () => {
  await verify('900', { playerId: '1', username: 'Wren' });
  await verify('900', { playerId: '2', username: 'Wren_II' });
  const put = await verify('900', { playerId: '1', username: 'Wren' });
  expect(put.body.data).toMatchObject({
    playerId: '1',
    pastUsers: [{ playerId: '2', username: 'Wren_II' }],
  });
});

test('a new name of the same account makes no past account', async () => {
  await verify('900', { playerId: '1', username: 'Wren' });
  const put = await verify('900', { playerId: '1', username: 'Kestrel' });
  expect(put.body.data).toEqual({ chatId: '900', playerId: '1', username: 'Kestrel', pastUsers: [] });
});

test('pastUsers, when given, are taken as they are, without repeats', async () => {
  const { chatId, playerId, username } = VERIFICATION;
  const given = [
    { playerId: '5', username: 'Five' },
    { playerId: '6', username: 'Six' },
    { playerId: '5', username: 'Five again' },
    { playerId, username: 'the present one' },
  ];
  const put = await verify(chatId, { playerId, username, pastUsers: given });
  expect(put.body.data.pastUsers).toEqual(given.slice(0, 2));
  const emptied = await verify(chatId, { playerId, username, pastUsers: [] });
  expect(emptied.body.data.pastUsers).toEqual([]);
});

test('putting the same verification again changes nothing', async () => {
  const { chatId, ...rest } = VERIFICATION;
  const before = service.snapshot();
  service.clock.advance(60_000);
  for (const payload of [rest, VERIFICATION, { playerId: rest.playerId, username: rest.username }]) {
    expect((await verify(chatId, payload)).body).toEqual({ success: true, data: VERIFICATION });
  }
  expect(service.snapshot()).toBe(before);
});

test('a game account that another chat account held is taken over, and the audit log says from whom', async () => {
  const { chatId: holder, playerId, username } = VERIFICATION;
  const put = await verify('900', { playerId, username });
  expect(put.body.data).toEqual({ chatId: '900', playerId, username, pastUsers: [] });
  expect((await lookUp(`player:${playerId}`)).body.data.chatId).toBe('900');
  expectRefusal(await lookUp(`chat:${holder}`), 404, errorText('User not found'));
  const entries = await service.store.audit.list(undefined, { limit: 2 });
  expect(entries).toMatchObject([
    { action: 'create', subjectKind: 'verification', subjectId: '900', actor: { kind: 'bot' } },
    { subjectKind: 'verification', subjectId: holder, detail: { after: { movedTo: '900' } } },
  ]);

  // When the former holder verifies again, the lost account is in the past with the rest.
  const back = await verify(holder, { playerId: '77', username: 'Anew' });
  expect(back.body.data.pastUsers).toEqual([{ playerId, username }, ...VERIFICATION.pastUsers]);
});

test('a verification that is deleted is found by nothing it had', async () => {
  const gone = await service.bot('DELETE', `/bot/users/${VERIFICATION.chatId}`);
  expect({ status: gone.status, text: gone.text }).toEqual({
    status: 200,
    text: '{"success":true,"message":"User deleted"}',
  });
  for (const query of [VERIFICATION.chatId, VERIFICATION.playerId, 'rowan_ashford', '31177205', 'rowan77']) {
    expectRefusal(await lookUp(query), 404, errorText('User not found'));
  }
  const again = await service.bot('DELETE', `/bot/users/${VERIFICATION.chatId}`);
  expectRefusal(again, 404, errorText('User not found', { code: 'user_not_found' }));
});

test('a chat id in the body is the one in the address, or the request is refused', async () => {
  const payload = { chatId: '901', playerId: '1', username: 'Wren' };
  const before = service.snapshot();
  const differing = await verify('900', payload);
  expectRefusal(
    differing,
    400,
    errorText('Bad request - chatId in the body differs from the address', { code: 'invalid_input' }),
  );
  expect(service.snapshot()).toBe(before);
  expect((await verify('901', payload)).status).toBe(200);
});
