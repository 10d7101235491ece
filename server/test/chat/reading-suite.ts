import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { changeAt, TESTER } from '../support/change.ts';
import {
  type ChatService,
  GUILD,
  KESTREL,
  OTHER_GUILD,
  ROWAN,
  STRANGER,
  type StartChatService,
} from './chat-guild.ts';
import {
  completionOf,
  interact,
  interactionOf,
  isEphemeral,
  messageOf,
  OPTION,
  pressOf,
  textOf,
} from './fake-discord.ts';
import { choose } from './settings.ts';

const member = (value: string) => ({ name: 'member', type: OPTION.member, value });
const text = (name: string, value: string) => ({ name, type: OPTION.text, value });
const CLERK = { chatId: '303', roles: ['777'] };
const DISCHARGE = {
  chatId: '302',
  playerId: 'p-kestrel',
  name: 'KestrelVane',
  reason: 'Moved <@301> away.',
  date: '2026-03-14',
  type: 'honourable',
  from: '2nd Company',
  signed: 'Rowan',
};
const TRANSFER = {
  playerId: 'p-kestrel',
  name: 'KestrelVane',
  date: '2026-05-02T18:22:05.000Z',
  from: '2nd Company',
  to: 'Harbour Watch',
  signed: 'Rowan',
};

/** The commands that change nothing. */
export function describeReading(start: StartChatService): void {
  let service: ChatService;
  beforeAll(async () => {
    service = await start();
    for (let count = 1; count <= 12; count += 1) {
      await service.post({
        playerId: ROWAN.playerId,
        amount: count,
        quantity: 1,
        name: `Item ${count}`,
        source: 'shop',
      });
    }
    await service.post({
      playerId: KESTREL.playerId,
      amount: 500,
      quantity: 1,
      name: 'Prize',
      source: 'event',
    });
    const guild = await service.guilds.find(GUILD);
    await service.store.roles.setChatRole(
      guild,
      { chatRoleId: '777', name: 'Clerks', role: 'viewer' },
      changeAt(service.clock.nowMs()),
    );
    await service.store.discharges.put(guild, [{ ...DISCHARGE, id: 'dis_1', guildId: GUILD }], changeAt(0));
    await service.store.transfers.put(guild, [{ ...TRANSFER, id: 'trf_1', guildId: GUILD }], changeAt(0));
    await service.store.verifications.put(
      [
        {
          chatId: KESTREL.chatId,
          playerId: KESTREL.playerId,
          username: 'KestrelVane',
          pastUsers: [{ playerId: 'p-old', username: '@here' }],
        },
      ],
      changeAt(service.clock.nowMs()),
    );
  });
  afterAll(() => service.stop());

  const press = (who: { chatId: string }, action: string) => {
    service.clock.advance(10_001);
    return interact(service, interactionOf(GUILD, who, pressOf(action)));
  };
  const buttonsOf = (answer: Awaited<ReturnType<typeof press>>) => {
    const [row] = messageOf(answer).components ?? [];
    return Object.fromEntries((row?.components ?? []).map(({ label, custom_id: id = '' }) => [label, id]));
  };
  const suggest = async (
    who: { chatId: string; roles?: string[] },
    name: string,
    option: string,
    typed: string,
  ) => {
    service.clock.advance(10_001);
    const focused = { ...text(option, typed), focused: true };
    const answer = await interact(service, interactionOf(GUILD, who, completionOf(name, [focused])));
    const { choices } = (answer as { data: { choices: { name: string; value: string }[] } }).data;
    return choices.map(({ value }) => value);
  };

  describe('/history', () => {
    test('has five transactions a page, newest first, and buttons for the others', async () => {
      const first = await service.use(ROWAN, 'history');
      expect(textOf(first).match(/Item \d+/g)).toEqual(['Item 12', 'Item 11', 'Item 10', 'Item 9', 'Item 8']);
      expect(isEphemeral(first)).toBe(true);
      const second = await press(ROWAN, buttonsOf(first).Older ?? '');
      expect(second.type).toBe(7);
      expect(textOf(second).match(/Item \d+/g)).toEqual(['Item 7', 'Item 6', 'Item 5', 'Item 4', 'Item 3']);
      const third = await press(ROWAN, buttonsOf(second).Older ?? '');
      expect(textOf(third).match(/Item \d+/g)).toEqual(['Item 2', 'Item 1']);
      expect(textOf(await press(ROWAN, buttonsOf(third).Newer ?? ''))).toBe(textOf(second));
    });

    test('of another member is shown where the guild allows it, by button as well', async () => {
      await choose(service, { balancesShown: true });
      const shown = await service.use(KESTREL, 'history', [member(ROWAN.chatId)]);
      expect(textOf(shown)).toContain('Item 12');
      await choose(service, {});
      const refused = await service.use(KESTREL, 'history', [member(ROWAN.chatId)]);
      expect(textOf(refused)).toContain('to their owners only');
      const pressed = await press(KESTREL, buttonsOf(shown).Older ?? '');
      expect([pressed.type, isEphemeral(pressed)]).toEqual([4, true]);
      expect(textOf(pressed)).toContain('to their owners only');
    });

    test('of somebody without an account is empty, and tells a stranger how to be verified', async () => {
      expect(textOf(await service.use(ROWAN, 'history', [], OTHER_GUILD))).toContain('no transactions yet');
      expect(textOf(await service.use(STRANGER, 'history'))).toContain('You are not verified yet');
    });
  });

  describe('/leaderboard', () => {
    test('has the largest balances and the own rank', async () => {
      const shown = textOf(await service.use(ROWAN, 'leaderboard'));
      expect(shown).toContain('**1** · KestrelVane · 500');
      expect(shown).toContain('**2** · Rowan\\_Ashford · 78');
      expect(shown).toContain('You: rank 2 · 78');
    });

    test('follows every post and every verification', async () => {
      const shown = async () => textOf(await service.use(STRANGER, 'leaderboard'));
      await shown();
      await service.post({ playerId: 'p-wren', amount: 3, quantity: 1, name: 'Prize', source: 'event' });
      expect(await shown()).toContain('**3** · p\\-wren · 3');
      const person = { chatId: '303', playerId: 'p-wren', username: 'Wren' };
      await service.store.verifications.put([person], changeAt(service.clock.nowMs()));
      expect(await shown()).toContain('**3** · Wren · 3');
    });

    test('of another guild, and for a stranger, has no rank', async () => {
      expect(textOf(await service.use(ROWAN, 'leaderboard', [], OTHER_GUILD))).toContain(
        'Nobody has an account yet',
      );
      expect(textOf(await service.use(STRANGER, 'leaderboard'))).not.toContain('You:');
    });
  });

  describe('/whois', () => {
    test('finds a member, a player by name, and their past accounts without mentioning anybody', async () => {
      const byMember = textOf(await service.use(STRANGER, 'whois', [member(KESTREL.chatId)]));
      expect(byMember).toContain('<@302> is verified as KestrelVane');
      expect(byMember).not.toContain('@here');
      expect(textOf(await service.use(STRANGER, 'whois', [text('player', 'kestrelvane')]))).toBe(byMember);
      expect(await suggest(STRANGER, 'whois', 'player', 'kes')).toEqual(['KestrelVane']);
    });

    test('needs one of them, and says when nobody is found', async () => {
      expect(textOf(await service.use(ROWAN, 'whois'))).toContain('either a member or a player');
      expect(textOf(await service.use(ROWAN, 'whois', [text('player', 'nobody')]))).toContain(
        'Nobody by that name',
      );
    });
  });

  describe('/discharge and /transfer', () => {
    test('show the record to roles that may read it', async () => {
      const shown = textOf(await service.use(CLERK, 'discharge', [text('id', 'dis_1')]));
      expect(shown).toContain('Discharge of KestrelVane');
      expect(shown).not.toContain('Moved <@301>');
      const moved = textOf(await service.use(CLERK, 'transfer', [text('id', 'trf_1')]));
      expect(moved).toContain('To: Harbour Watch');
      expect(moved).toMatch(/Date: <t:\d+:f>/);
    });

    test.each(['discharge', 'transfer'])(
      '/%s refuses others, absent ones and those of other guilds',
      async (name) => {
        expect(textOf(await service.use(ROWAN, name, [text('id', 'dis_1')]))).toContain(
          'needs the role viewer',
        );
        const manager = { ...ROWAN, permissions: '32' };
        expect(textOf(await service.use(manager, name, [text('id', 'nothing')]))).toContain('in this server');
        const id = name === 'discharge' ? 'dis_1' : 'trf_1';
        expect(textOf(await service.use(manager, name, [text('id', id)], OTHER_GUILD))).toContain(
          'There is no',
        );
      },
    );
  });

  describe('/commands', () => {
    test('lists the catalogue, and GET /commands has the built-in ones under Guildbook', async () => {
      const shown = textOf(await service.use(STRANGER, 'commands', [text('category', 'guildbook')]));
      expect(shown).toContain('**/balance** · Shows your balance');
      const { body } = await service.send({ url: '/commands?category=Guildbook' });
      expect(body.data.map(({ name }: { name: string }) => name)).toContain('leaderboard');
      expect(await suggest(STRANGER, 'commands', 'category', 'GUILD')).toEqual(['Guildbook']);
    });

    test('leave a command of the operator’s bot in its place', async () => {
      const own = {
        category: 'Economy',
        name: 'Balance',
        description: 'Ours.',
        extendedHelp: '',
        preconditions: [],
      };
      await service.store.commands.replace([own], changeAt(service.clock.nowMs()));
      const { body } = await service.send({ url: '/commands' });
      expect(body.data[0]).toEqual(own);
      expect(body.data.filter(({ name }: { name: string }) => name.toLowerCase() === 'balance')).toHaveLength(
        1,
      );
      expect(body.data.some(({ name }: { name: string }) => name === 'pay')).toBe(true);
      await service.store.commands.replace([], changeAt(service.clock.nowMs()));
      expect((await service.send({ url: '/commands' })).body.data[0].name).toBe('balance');
    });
  });

  test('a command that is switched off says so', async () => {
    await choose(service, { commandsOff: ['leaderboard'] });
    expect(textOf(await service.use(ROWAN, 'leaderboard'))).toContain('has switched off /leaderboard');
    expect((await service.store.audit.list(await service.guilds.find(GUILD), { limit: 1 }))[0]).toMatchObject(
      {
        actor: TESTER,
        detail: { after: { chatCommandsOff: 'leaderboard' } },
      },
    );
    await choose(service, {});
  });
}
