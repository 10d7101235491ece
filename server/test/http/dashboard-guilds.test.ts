import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { ACTION_NAMES } from '../../src/wire/roles.ts';
import { TESTER } from '../support/change.ts';
import {
  type DashboardService,
  GUILD,
  MEMBER_RIGHTS,
  PLANLESS_GUILD,
  type SignedInBrowser,
  startDashboardService,
  UNKNOWN_GUILD,
} from './dashboard-service.ts';

let service: DashboardService;
let olga: SignedInBrowser;
beforeAll(async () => {
  service = await startDashboardService();
  olga = await service.signIn('olga');
});
afterAll(() => service.stop());

describe('the list of guilds', () => {
  const guildsOf = async (name: string) =>
    (await (await service.signIn(name)).go('/dashboard/api/guilds')).body.data;

  const USUAL_SETTINGS = {
    overdraftAllowed: true,
    sealPublic: false,
    ownAccounts: true,
    hasOwnAccount: false,
    timeZone: 'UTC',
    language: 'en',
    display: { currencyName: null, currencySymbol: null, decimalsShown: null },
  };

  test('has those the person owns, with what the service knows of each', async () => {
    expect((await olga.go('/dashboard/api/guilds')).body).toEqual({
      success: true,
      data: [
        {
          guildId: GUILD,
          name: `Chat name of ${GUILD}`,
          icon: null,
          standing: 'owner',
          role: 'manager',
          may: ACTION_NAMES,
          state: 'ready',
          plan: 'developer',
          planUntil: null,
          ...USUAL_SETTINGS,
        },
        {
          guildId: UNKNOWN_GUILD,
          name: `Chat name of ${UNKNOWN_GUILD}`,
          icon: null,
          standing: 'owner',
          role: 'manager',
          may: ACTION_NAMES,
          state: 'unknown',
          plan: null,
          planUntil: null,
          ...USUAL_SETTINGS,
        },
      ],
    });
  });

  test.each([
    ['adam', 'admin'],
    ['mara', 'manager'],
  ])('has for %s the one guild as %s', async (name, standing) => {
    expect(await guildsOf(name)).toMatchObject([{ guildId: GUILD, standing, role: 'manager' }]);
  });

  test('is empty for a member without rights, however many other bits are set', async () => {
    expect(await guildsOf('memo')).toEqual([]);
  });

  test('tells of a guild without a plan, and of one whose plan has ended', async () => {
    expect(await guildsOf('pia')).toMatchObject([
      { guildId: PLANLESS_GUILD, state: 'no-plan', plan: 'none' },
    ]);
    const planUntilMs = service.clock.nowMs();
    const change = { guildId: PLANLESS_GUILD, plan: 'enterprise', planUntilMs } as const;
    await service.guilds.set(change, TESTER);
    const planUntil = new Date(planUntilMs).toISOString();
    expect(await guildsOf('pia')).toMatchObject([{ state: 'no-plan', plan: 'enterprise', planUntil }]);
    await service.guilds.set({ guildId: PLANLESS_GUILD, plan: 'none' }, TESTER);
  });

  test.each([
    ['9223372036854775840', 'manager'],
    ['9223372036854775816', 'admin'],
    ['9223372036854775848', 'admin'],
    ['9223372036854775811', undefined],
    ['340282366920938463463374607431768211488', 'manager'],
  ])('reads the permissions %s exactly: %s', async (permissions, standing) => {
    const person = service.platform.people.find(({ username }) => username === 'memo');
    const guild = person?.guilds[0];
    Object.assign(guild ?? {}, { permissions });
    expect((await guildsOf('memo')).map((one: { standing: string }) => one.standing)).toEqual(
      standing === undefined ? [] : [standing],
    );
    Object.assign(guild ?? {}, { permissions: MEMBER_RIGHTS });
  });
});
