import { expect, it, onTestFinished } from 'vitest';
import { difference } from '../../src/store/audit/difference.ts';
import { aGuild, CHANGE } from '../contract/specimens.ts';
import { openTestStore } from '../support/open-store.ts';
import { openStoreFile } from '../support/read-store.ts';

it.each([
  ["UPDATE audit_entry SET actor_id = 'somebody else'"],
  ['UPDATE audit_entry SET entry_no = entry_no + 1'],
  ['DELETE FROM audit_entry'],
])('the file itself refuses to change the audit log: %s', async (sql) => {
  const { store, file } = await openTestStore();
  const guild = await store.guilds.set(aGuild(), CHANGE);
  const before = await store.audit.list(guild, { limit: 10 });
  const raw = openStoreFile(file);
  onTestFinished(() => raw.close());
  expect(() => raw.exec(sql)).toThrow('the audit log is append-only');
  expect(await store.audit.list(guild, { limit: 10 })).toEqual(before);
});

it.each([
  ['nothing and nothing', undefined, undefined, undefined],
  ['a new record', undefined, { a: 1 }, { after: { a: 1 } }],
  ['a deleted one', { a: 1 }, undefined, { before: { a: 1 } }],
  ['the same', { a: 1, b: [1, { c: 2 }] }, { b: [1, { c: 2 }], a: 1 }, undefined],
  ['a changed list', { a: 1, b: [1] }, { a: 1, b: [2] }, { before: { b: [1] }, after: { b: [2] } }],
  ['a field more', { a: 1 }, { a: 1, b: 2 }, { after: { b: 2 } }],
  ['a field less', { a: 1, b: 2 }, { a: 1 }, { before: { b: 2 } }],
  ['undefined on both sides', { a: undefined }, { a: undefined }, undefined],
])('the difference between versions is what changed: %s', (_, before, after, expected) => {
  expect(difference(before, after)).toEqual(expected);
});
