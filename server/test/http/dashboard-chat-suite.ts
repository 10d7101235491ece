import { afterAll, beforeAll, expect, test } from 'vitest';
import { ChatSettingsReply } from '../../src/wire/dashboard-chat.ts';
import { createValidate } from '../../src/wire/validation.ts';
import { type DashboardService, GUILD, type SignedInBrowser } from './dashboard-service.ts';

const path = `/dashboard/api/guilds/${GUILD}/chat`;
const WANTED = { commandsOff: ['whois', 'gone'], membersPay: true, payDayMax: 12.5, balancesShown: true };

/** The settings of the commands of the chat, on one store. */
export function describeDashboardChat(start: () => Promise<DashboardService>): void {
  let service: DashboardService;
  let olga: SignedInBrowser;
  beforeAll(async () => {
    service = await start();
    olga = await service.signIn('olga');
  });
  afterAll(() => service.stop());

  test('the settings of the chat are usual at first, then those that were chosen, and the log says by whom', async () => {
    const first = await olga.go(path);
    expect(createValidate(ChatSettingsReply)(structuredClone(first.body))).toBeUndefined();
    expect(first.body.data).toMatchObject({
      isConfigured: false,
      membersPay: false,
      payDayMax: null,
      balancesShown: false,
    });
    expect(first.body.data.commands).toContainEqual(
      expect.objectContaining({
        name: 'pay',
        description: 'Pays another member',
        descriptions: expect.objectContaining({
          de: 'Zahlt einem anderen Mitglied',
          ja: '他のメンバーに送金します',
        }),
      }),
    );
    const changed = await olga.change('PUT', path, WANTED);
    expect(changed.body.data).toMatchObject({ membersPay: true, payDayMax: '12.5', balancesShown: true });
    expect((await olga.go(path)).body.data).toEqual(changed.body.data);
    const off = changed.body.data.commands.filter(({ isOn }: { isOn: boolean }) => !isOn);
    expect(off.map(({ name }: { name: string }) => name)).toEqual(['whois']);
    const log = await olga.go(`/dashboard/api/guilds/${GUILD}/audit?kind=guild&limit=1`);
    expect(log.body.data.entries).toMatchObject([
      {
        actor: { id: '101' },
        detail: { after: { chatMembersPay: true, chatPaidInDay: '12.5', chatCommandsOff: 'whois' } },
      },
    ]);
  });

  test.each([
    { ...WANTED, payDayMax: -1 },
    { ...WANTED, payDayMax: 0.00001 },
    { ...WANTED, payDayMax: '5' },
    { ...WANTED, membersPay: 'yes' },
    { ...WANTED, commandsOff: 'pay' },
    { membersPay: true },
  ])('they are not changed to %j', async (body) => {
    const before = (await olga.go(path)).body.data;
    expect((await olga.change('PUT', path, body)).status).toBe(400);
    expect((await olga.go(path)).body.data).toEqual(before);
  });
}
