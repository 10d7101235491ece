import pg from 'pg';
import { expect, it, onTestFinished } from 'vitest';
import type { LookupKind } from '../../src/domain/model.ts';
import { onOneServer } from '../../src/store/jobs.ts';
import { createVerificationStore } from '../../src/store/people/verifications.ts';
import { createEngine } from '../../src/store/postgres/engine.ts';
import { createRunner } from '../../src/store/postgres/statement.ts';

import { aVerification, CHANGE } from '../contract/specimens.ts';
import { openOwnStore } from './store.ts';

const ALL_KINDS: readonly LookupKind[] = ['chat', 'player', 'name', 'past_player', 'past_name'];

/** The look-up on a connection of the test's own, which notes every statement that goes over it. */
async function openRecording() {
  const { store, database } = await openOwnStore();
  const client = new pg.Client({ connectionString: database.url });
  await client.connect();
  onTestFinished(() => client.end());
  const statements: unknown[] = [];
  const read = createRunner((query) => {
    statements.push(query);
    return client.query(query);
  }, true);
  const unused = () => Promise.reject(new Error('a look-up neither writes nor reads a whole table'));
  const engine = createEngine(
    {
      read,
      readAside: read,
      readLong: read,
      inSnapshot: unused,
      openReader: unused,
      divideByServer: onOneServer,
    },
    { write: unused, writeOnce: unused, admit: unused },
  );
  const { find } = createVerificationStore({ engine, lookAgain() {} });
  return { store, find, statements };
}

it('a look-up is one statement, whatever kind finds the person, and when none does', async () => {
  const { store, find, statements } = await openRecording();
  const person = aVerification({
    chatId: 'chat',
    playerId: 'player',
    username: 'Name',
    pastUsers: [{ playerId: 'past player', username: 'Past Name' }],
  });
  await store.verifications.put([person], CHANGE);
  for (const value of ['chat', 'player', 'name', 'past player', 'PAST NAME']) {
    expect(await find(ALL_KINDS, value), value).toEqual(person);
    expect(statements.splice(0), value).toHaveLength(1);
  }
  expect(await find(ALL_KINDS, 'nobody')).toBeUndefined();
  expect(statements).toHaveLength(1);
});

it('of several people the first kind that finds one decides', async () => {
  const { store, find } = await openRecording();
  const value = 'shared';
  const past = { playerId: 'older', username: 'Older' };
  const people = [
    aVerification({ chatId: '5', playerId: '5', username: '5', pastUsers: [{ ...past, username: value }] }),
    aVerification({ chatId: '4', playerId: '4', username: '4', pastUsers: [{ ...past, playerId: value }] }),
    aVerification({ chatId: '3', playerId: '3', username: value }),
    aVerification({ chatId: '2', playerId: value, username: '2' }),
    aVerification({ chatId: value, playerId: '1', username: '1' }),
  ];
  for (const [index, kind] of ALL_KINDS.toReversed().entries()) {
    // Those found by the kinds before are not there yet.
    await store.verifications.put(people.slice(index, index + 1), CHANGE);
    expect(await find(ALL_KINDS, value), kind).toEqual(people[index]);
  }
  expect((await find(['past_name', 'name', 'chat'], value))?.chatId).toBe('5');
});
