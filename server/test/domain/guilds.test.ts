import { describe, expect, it } from 'vitest';
import { createGuilds, hasActivePlan } from '../../src/domain/access/guilds.ts';
import type { Plan } from '../../src/domain/model.ts';
import { TESTER } from '../support/change.ts';
import { createTestClock } from '../support/clock.ts';
import { openTestStore } from '../support/open-store.ts';

async function openGuilds(defaultPlan: Plan = 'none') {
  const { store } = await openTestStore();
  const clock = createTestClock();
  return { store, clock, guilds: createGuilds({ store: store.guilds, clock, defaultPlan }) };
}

describe('setting a guild', () => {
  it('makes a new one with the default plan, overdraft allowed and the present time', async () => {
    const { guilds, clock } = await openGuilds('developer');
    const guild = await guilds.set({ guildId: 'g', name: 'Lantern Court' }, TESTER);
    expect(guild).toEqual({
      guildNo: guild.guildNo,
      guildId: 'g',
      name: 'Lantern Court',
      icon: undefined,
      ownerChatId: undefined,
      plan: 'developer',
      planUntilMs: undefined,
      overdraftAllowed: true,
      sealPublic: false,
      ownAccounts: true,
      createdAtMs: clock.nowMs(),
    });
    expect(await guilds.find('g')).toEqual(guild);
    expect(await guilds.list()).toEqual([guild]);
  });

  it('asks for a name when the guild is new, and makes nothing without', async () => {
    const { guilds } = await openGuilds();
    await expect(guilds.set({ guildId: 'g', plan: 'developer' }, TESTER)).rejects.toMatchObject({
      code: 'invalid_input',
      detail: 'a new guild needs a name',
    });
    expect(await guilds.list()).toEqual([]);
  });

  it('changes what is given and leaves the rest', async () => {
    const { guilds, clock } = await openGuilds('developer');
    const before = await guilds.set(
      {
        guildId: 'g',
        name: 'Old',
        plan: 'enterprise',
        planUntilMs: 5,
        overdraftAllowed: false,
      },
      TESTER,
    );
    clock.advance(1_000);
    expect(await guilds.set({ guildId: 'g' }, TESTER)).toEqual(before);
    expect(await guilds.set({ guildId: 'g', name: 'New' }, TESTER)).toEqual({ ...before, name: 'New' });
    const allowed = await guilds.set({ guildId: 'g', overdraftAllowed: true }, TESTER);
    expect(allowed).toEqual({ ...before, name: 'New', overdraftAllowed: true });
  });

  it('replaces the end with the plan, and a new end alone keeps the plan', async () => {
    const { guilds } = await openGuilds();
    await guilds.set({ guildId: 'g', name: 'G', plan: 'developer', planUntilMs: 5 }, TESTER);
    const extended = await guilds.set({ guildId: 'g', planUntilMs: 9 }, TESTER);
    expect(extended).toMatchObject({ plan: 'developer', planUntilMs: 9 });
    const both = await guilds.set({ guildId: 'g', plan: 'enterprise', planUntilMs: 20 }, TESTER);
    expect(both).toMatchObject({ plan: 'enterprise', planUntilMs: 20 });
    const unlimited = await guilds.set({ guildId: 'g', plan: 'enterprise' }, TESTER);
    expect(unlimited).toMatchObject({ plan: 'enterprise', planUntilMs: undefined });
  });
});

it('icon, owner and end of plan stay when not given, and go when null is given', async () => {
  const { guilds } = await openGuilds();
  const given = { icon: 'i', ownerChatId: 'o', planUntilMs: 5 };
  await guilds.set({ guildId: 'g', name: 'G', ...given }, TESTER);
  expect(await guilds.set({ guildId: 'g', name: 'New' }, TESTER)).toMatchObject(given);
  const none = await guilds.set({ guildId: 'g', icon: null, ownerChatId: null, planUntilMs: null }, TESTER);
  expect(none).toMatchObject({ icon: undefined, ownerChatId: undefined, planUntilMs: undefined });
});

it('a change is logged with its actor and the time of the clock', async () => {
  const { store, guilds, clock } = await openGuilds();
  const guild = await guilds.set({ guildId: 'g', name: 'G' }, TESTER);
  clock.advance(9);
  const actor = { kind: 'bot', id: 'b' } as const;
  await guilds.set({ guildId: 'g', overdraftAllowed: false }, actor);
  const [entry] = await store.audit.list(guild, { limit: 1 });
  expect(entry).toMatchObject({
    actor,
    createdAtMs: clock.nowMs(),
    detail: { before: { overdraftAllowed: true }, after: { overdraftAllowed: false } },
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
  const guild = {
    guildNo: 1,
    guildId: 'g',
    name: 'G',
    icon: undefined,
    ownerChatId: undefined,
    overdraftAllowed: true,
    currencyName: undefined,
    currencySymbol: undefined,
    decimalsShown: undefined,
    timeZone: undefined,
    language: undefined,
    sealPublic: false,
    ownAccounts: true,
    createdAtMs: 0,
  };

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
