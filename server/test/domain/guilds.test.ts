import { describe, expect, it } from 'vitest';
import { createGuilds, hasActivePlan } from '../../src/domain/guilds.ts';
import type { Plan } from '../../src/domain/model.ts';
import { createTestClock } from '../support/clock.ts';
import { openTestStore } from '../support/open-store.ts';

async function openGuilds(defaultPlan: Plan = 'none') {
  const { store } = await openTestStore();
  const clock = createTestClock();
  return { clock, guilds: createGuilds({ store: store.guilds, clock, defaultPlan }) };
}

describe('setting a guild', () => {
  it('makes a new one with the default plan, overdraft allowed and the present time', async () => {
    const { guilds, clock } = await openGuilds('developer');
    const guild = await guilds.set({ guildId: 'g', name: 'Lantern Court' });
    expect(guild).toEqual({
      guildNo: guild.guildNo,
      guildId: 'g',
      name: 'Lantern Court',
      plan: 'developer',
      planUntilMs: undefined,
      overdraftAllowed: true,
      createdAtMs: clock.nowMs(),
    });
    expect(await guilds.find('g')).toEqual(guild);
    expect(await guilds.list()).toEqual([guild]);
  });

  it('asks for a name when the guild is new, and makes nothing without', async () => {
    const { guilds } = await openGuilds();
    await expect(guilds.set({ guildId: 'g', plan: 'developer' })).rejects.toMatchObject({
      code: 'invalid_input',
      detail: 'a new guild needs a name',
    });
    expect(await guilds.list()).toEqual([]);
  });

  it('changes what is given and leaves the rest', async () => {
    const { guilds, clock } = await openGuilds('developer');
    const before = await guilds.set({
      guildId: 'g',
      name: 'Old',
      plan: 'enterprise',
      planUntilMs: 5,
      overdraftAllowed: false,
    });
    clock.advance(1_000);
    expect(await guilds.set({ guildId: 'g' })).toEqual(before);
    expect(await guilds.set({ guildId: 'g', name: 'New' })).toEqual({ ...before, name: 'New' });
    const allowed = await guilds.set({ guildId: 'g', overdraftAllowed: true });
    expect(allowed).toEqual({ ...before, name: 'New', overdraftAllowed: true });
  });

  it('replaces the end with the plan, and a new end alone keeps the plan', async () => {
    const { guilds } = await openGuilds();
    await guilds.set({ guildId: 'g', name: 'G', plan: 'developer', planUntilMs: 5 });
    const extended = await guilds.set({ guildId: 'g', planUntilMs: 9 });
    expect(extended).toMatchObject({ plan: 'developer', planUntilMs: 9 });
    const both = await guilds.set({ guildId: 'g', plan: 'enterprise', planUntilMs: 20 });
    expect(both).toMatchObject({ plan: 'enterprise', planUntilMs: 20 });
    const unlimited = await guilds.set({ guildId: 'g', plan: 'enterprise' });
    expect(unlimited).toMatchObject({ plan: 'enterprise', planUntilMs: undefined });
  });
});

it('a guild that does not exist is refused by name', async () => {
  const { guilds } = await openGuilds();
  await expect(guilds.find('nobody')).rejects.toMatchObject({
    code: 'guild_not_found',
    detail: 'there is no guild nobody',
  });
});

describe('a plan', () => {
  const guild = { guildNo: 1, guildId: 'g', name: 'G', overdraftAllowed: true, createdAtMs: 0 };

  it.each([
    ['developer', undefined, true],
    ['enterprise', undefined, true],
    ['developer', 1_001, true],
    ['developer', 1_000, false],
    ['enterprise', 999, false],
    ['none', undefined, false],
    ['none', 2_000, false],
  ] as const)('%s until %s is active at 1000: %s', (plan, planUntilMs, expected) => {
    expect(hasActivePlan({ ...guild, plan, planUntilMs }, 1_000)).toBe(expected);
  });
});
