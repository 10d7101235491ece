import { expect, test } from 'vitest';
import { createSlots, type SlotUser } from '../../src/webhooks/slots.ts';

const BOUNDS = { max: 3, failingMax: 1, guildMax: 2 };

/** Slots with a record of who got one, in order, and a way to give each back. */
function createRecord() {
  const slots = createSlots(BOUNDS);
  const begun: string[] = [];
  const ends = new Map<string, () => void>();
  const runs = new Map<string, Promise<void>>();
  const take = (name: string, user: Partial<SlotUser> = {}) => {
    const run = slots.run({ guildNo: 1, isFailing: false, ...user }, () => {
      begun.push(name);
      return new Promise<void>((resolve) => ends.set(name, resolve));
    });
    runs.set(name, run);
  };
  const giveBack = async (name: string) => {
    ends.get(name)?.();
    await runs.get(name);
    // Who waited begins after the promises of this turn.
    await new Promise((resolve) => setImmediate(resolve));
  };
  const settle = () => new Promise((resolve) => setImmediate(resolve));
  return { slots, begun, take, giveBack, settle };
}

test('a guild and failing endpoints have a limited number, and do not hold up who comes behind them', async () => {
  const { begun, take, settle } = createRecord();
  take('a1', { guildNo: 1 });
  take('a2', { guildNo: 1 });
  take('a3', { guildNo: 1 });
  take('b1', { guildNo: 2 });
  await settle();
  expect(begun).toEqual(['a1', 'a2', 'b1']);
});

test('endpoints that fail leave room for others', async () => {
  const { begun, take, settle, slots } = createRecord();
  take('f1', { guildNo: 1, isFailing: true });
  take('f2', { guildNo: 2, isFailing: true });
  await settle();
  expect(begun).toEqual(['f1']);
  expect(slots.free()).toEqual({ slots: 2, failing: 0 });
  take('h1', { guildNo: 3 });
  await settle();
  expect(begun).toEqual(['f1', 'h1']);
});

test('who waits longest goes first, unless the bound of its guild keeps it waiting', async () => {
  const { begun, take, giveBack, settle, slots } = createRecord();
  take('a1', { guildNo: 1 });
  take('a2', { guildNo: 1 });
  take('b1', { guildNo: 2 });
  take('a3', { guildNo: 1 });
  take('c1', { guildNo: 3 });
  take('d1', { guildNo: 4 });
  await settle();
  expect(slots.isContended(9)).toBe(true);
  await giveBack('b1');
  expect(begun).toEqual(['a1', 'a2', 'b1', 'c1']);
  await giveBack('a1');
  expect(begun).toEqual(['a1', 'a2', 'b1', 'c1', 'a3']);
  await giveBack('a2');
  expect(begun).toEqual(['a1', 'a2', 'b1', 'c1', 'a3', 'd1']);
  await giveBack('c1');
  expect(slots.free()).toEqual({ slots: 1, failing: 1 });
  expect(slots.isContended(1)).toBe(false);
});

test('work that fails gives its slot back', async () => {
  const slots = createSlots({ ...BOUNDS, max: 1 });
  const user = { guildNo: 1, isFailing: false };
  await expect(slots.run(user, () => Promise.reject(new Error('broken')))).rejects.toThrow('broken');
  expect(await slots.run(user, async () => 'next')).toBe('next');
});
