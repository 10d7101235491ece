import { expect, it } from 'vitest';
import type { DomainError } from '../../src/domain/errors.ts';
import type { Verification } from '../../src/domain/model.ts';
import { createVerifications } from '../../src/domain/people/verifications.ts';
import { aVerification, CHANGE } from '../contract/specimens.ts';
import { createSqlitePlace } from '../contract/sqlite-place.ts';
import { shareCleared } from '../contract/store-place.ts';
import { TESTER } from '../support/change.ts';
import { createTestClock } from '../support/clock.ts';

const open = shareCleared(createSqlitePlace);

/** Finds among these people and no others, until it is called again. */
async function openWith(...people: Verification[]) {
  const { store } = await open();
  await store.verifications.put(people, CHANGE);
  const verifications = createVerifications({ store: store.verifications, clock: createTestClock() });
  return async (query: string): Promise<string> => {
    try {
      return (await verifications.find(query)).chatId;
    } catch (error) {
      return String((error as DomainError).code);
    }
  };
}

const past = (playerId: string, username: string) => ({ pastUsers: [{ playerId, username }] });

// Five people who are all "77" in another way, each sorting after the one before.
const BY_CHAT = aVerification({ chatId: '77', playerId: 'p-chat', username: 'n-chat' });
const BY_PLAYER = aVerification({ chatId: 'by-player', playerId: '77', username: 'n-player' });
const BY_NAME = aVerification({ chatId: 'by-name', playerId: 'p-name', username: '77' });
const BY_PAST_PLAYER = aVerification({
  chatId: 'past-player',
  playerId: 'p3',
  username: 'n3',
  ...past('77', 'x'),
});
const BY_PAST_NAME = aVerification({
  chatId: 'past-name',
  playerId: 'p4',
  username: 'n4',
  ...past('x', '77'),
});

it('a value is looked for as chatId, playerId, username, then among past players and past names', async () => {
  const inOrder = [BY_CHAT, BY_PLAYER, BY_NAME, BY_PAST_PLAYER, BY_PAST_NAME];
  for (const [index, expected] of inOrder.entries()) {
    const find = await openWith(...inOrder.slice(index).reverse());
    expect(await find('77')).toBe(expected.chatId);
  }
});

it('a named kind looks there alone, the present before the past', async () => {
  const all = await openWith(BY_CHAT, BY_PLAYER, BY_NAME, BY_PAST_PLAYER, BY_PAST_NAME);
  expect(await all('chat:77')).toBe('77');
  expect(await all('player:77')).toBe('by-player');
  expect(await all('name:77')).toBe('by-name');
  const pastOnly = await openWith(BY_PAST_PLAYER, BY_PAST_NAME);
  expect(await pastOnly('chat:77')).toBe('user_not_found');
  expect(await pastOnly('player:77')).toBe('past-player');
  expect(await pastOnly('name:77')).toBe('past-name');
  const chatOnly = await openWith(BY_CHAT);
  expect(await chatOnly('player:77')).toBe('user_not_found');
  expect(await chatOnly('name:77')).toBe('user_not_found');
});

it('a colon after anything else is part of the value, and so is a second one', async () => {
  const find = await openWith(
    aVerification({ chatId: '1', playerId: 'a', username: 'guild:master' }),
    aVerification({ chatId: '2', playerId: 'b', username: ':' }),
    aVerification({ chatId: '3', playerId: 'c', username: 'name:tag' }),
    aVerification({ chatId: '4', playerId: 'd', username: 'tag' }),
  );
  expect(await find('guild:master')).toBe('1');
  expect(await find(':')).toBe('2');
  expect(await find('name:name:tag')).toBe('3');
  expect(await find('name:tag')).toBe('4');
});

it.each(['chat:', 'player: ', 'name:\t'])('%j names a kind and nothing to look for', async (query) => {
  const find = await openWith(BY_CHAT);
  expect(await find(query)).toBe('missing_parameters');
});

it('nobody is found by what nobody has', async () => {
  const find = await openWith(BY_CHAT);
  expect(await find('78')).toBe('user_not_found');
});

it('verifying gives the person as they are from now on, and forgetting leaves nobody', async () => {
  const { store } = await open();
  const clock = createTestClock();
  const verifications = createVerifications({ store: store.verifications, clock });
  await verifications.verify({ chatId: '1', playerId: 'a', username: 'A' }, TESTER);
  const verified = await verifications.verify({ chatId: '1', playerId: 'b', username: 'B' }, TESTER);
  expect(verified).toEqual({
    chatId: '1',
    playerId: 'b',
    username: 'B',
    pastUsers: [{ playerId: 'a', username: 'A' }],
  });
  const [entry] = await store.audit.list(undefined, { limit: 1 });
  expect(entry).toMatchObject({ actor: TESTER, createdAtMs: clock.nowMs(), subjectId: '1' });
  await verifications.forget('1', TESTER);
  await expect(async () => verifications.find('chat:1')).rejects.toMatchObject({ code: 'user_not_found' });
  await expect(verifications.forget('1', TESTER)).rejects.toMatchObject({ code: 'user_not_found' });
});
