import { afterAll, beforeAll, beforeEach, describe, expect, test } from 'vitest';
import { changeAt } from '../support/change.ts';
import {
  actingWith,
  amount,
  appointTreasurers,
  makeUsual,
  member,
  postOptions,
  quantity,
  TREASURER,
  text,
} from './acting.ts';
import {
  type ChatService,
  GUILD,
  OTHER_GUILD,
  ROWAN,
  STRANGER,
  type StartChatService,
} from './chat-guild.ts';
import { commandOf, completionOf, deliver, interact, interactionOf, textOf } from './fake-discord.ts';

/** The commands that change something. */
export function describeChanging(start: StartChatService): void {
  let service: ChatService;
  beforeAll(async () => {
    service = await start();
    await appointTreasurers(service);
  });
  afterAll(() => service.stop());
  beforeEach(() => makeUsual(service));

  const { press, actionOf, balanceOf, setBalance, newestOf } = actingWith(() => service);

  describe('/post', () => {
    test('posts for a member, with the person in the audit log', async () => {
      await setBalance(ROWAN.playerId, 0);
      const answer = await service.use(TREASURER, 'post', postOptions(12.5));
      expect(textOf(answer)).toContain('**+25**');
      expect(await newestOf(ROWAN.playerId)).toMatchObject({
        name: 'Prize',
        source: 'event',
        quantity: 2,
        totalUnits: 250_000,
        postedBy: { kind: 'user', id: TREASURER.chatId },
      });
      const [entry] = await service.store.audit.list(await service.guilds.find(GUILD), { limit: 1 });
      expect(entry).toMatchObject({
        actor: { kind: 'user', id: TREASURER.chatId },
        subjectKind: 'transaction',
      });
    });

    test('that is delivered twice posts once and has the same answer', async () => {
      service.clock.advance(10_001);
      const payload = JSON.stringify(
        interactionOf(GUILD, TREASURER, commandOf('post', postOptions(1, 'Once'))),
      );
      const before = await balanceOf(ROWAN.playerId);
      const replies = await Promise.all([deliver(service, payload), deliver(service, payload)]);
      replies.push(await deliver(service, payload));
      expect(new Set(replies.map((reply) => reply.text)).size).toBe(1);
      expect(await balanceOf(ROWAN.playerId)).toBe(before + 2);
    });

    test.each([
      ['a member without the role', ROWAN, postOptions(1), 'needs the role treasurer'],
      ['an amount of zero', TREASURER, postOptions(0), 'amount must not be zero'],
      ['five decimal places', TREASURER, postOptions(0.00001), 'at most 4 decimal places'],
      ['an amount beyond all bounds', TREASURER, postOptions(1e300), 'has changed'],
      [
        'a text as amount',
        TREASURER,
        [...postOptions(1).filter(({ name }) => name !== 'amount'), amount('1')],
        'has changed',
      ],
      [
        'half a piece',
        TREASURER,
        [...postOptions(1).filter(({ name }) => name !== 'quantity'), quantity(0.5)],
        'has changed',
      ],
      ['a blank name', TREASURER, postOptions(1, '  '), 'one line of readable characters'],
      ['a name of two lines', TREASURER, postOptions(1, 'a\nb'), 'one line of readable characters'],
      ['a missing option', TREASURER, postOptions(1).slice(1), 'has changed'],
      ['a member who is none', TREASURER, [member('abc'), ...postOptions(1).slice(1)], 'has changed'],
      [
        'somebody unverified',
        TREASURER,
        [member(STRANGER.chatId), ...postOptions(1).slice(1)],
        'is not verified',
      ],
    ])('refuses %s', async (_name, who, options, said) => {
      const before = await balanceOf(ROWAN.playerId);
      expect(textOf(await service.use(who, 'post', options)).replaceAll('\\', '')).toContain(said);
      expect(await balanceOf(ROWAN.playerId)).toBe(before);
    });

    test('in another guild needs a role there', async () => {
      expect(textOf(await service.use(TREASURER, 'post', postOptions(1), OTHER_GUILD))).toContain(
        'needs the role',
      );
    });

    test('suggests items and sources to those who may post', async () => {
      const suggest = async (who: { chatId: string }, option: string, typed: string) => {
        service.clock.advance(10_001);
        const focused = { ...text(option, typed), focused: true };
        const answer = await interact(service, interactionOf(GUILD, who, completionOf('post', [focused])));
        return (answer as { data: { choices: { value: string }[] } }).data.choices.map(({ value }) => value);
      };
      expect(await suggest(TREASURER, 'name', 'PRI')).toEqual(['Prize']);
      expect(await suggest(TREASURER, 'source', 'eve')).toEqual(['event']);
      expect(await suggest(ROWAN, 'name', 'PRI')).toEqual([]);
    });
  });

  describe('/reverse', () => {
    const reverse = async (who = TREASURER) => {
      const { transactionId = '' } = (await newestOf(ROWAN.playerId)) ?? {};
      return service.use(who, 'reverse', [text('transaction', transactionId), text('reason', 'Sold twice')]);
    };

    test('asks, and reverses once however often it is confirmed', async () => {
      await setBalance(ROWAN.playerId, 10);
      await service.post({ playerId: ROWAN.playerId, amount: 5, quantity: 1, name: 'Axe' });
      const asked = await reverse();
      expect(textOf(asked)).toContain('Axe');
      expect(await balanceOf(ROWAN.playerId)).toBe(15);
      const done = await press(TREASURER, actionOf(asked, 'Reverse'));
      expect(done.type).toBe(7);
      expect(await balanceOf(ROWAN.playerId)).toBe(10);
      expect(textOf(await press(TREASURER, actionOf(asked, 'Reverse')))).toBe(textOf(done));
      expect(await newestOf(ROWAN.playerId)).toMatchObject({ metadata: { reason: 'Sold twice' } });
      const again = await service.use(TREASURER, 'reverse', [
        text('transaction', (await newestOf(ROWAN.playerId))?.reverses ?? ''),
        text('reason', 'Again'),
      ]);
      expect(textOf(await press(TREASURER, actionOf(again, 'Reverse')))).toContain('reversed already');
    });

    test('is refused when the role was taken away between the command and the button', async () => {
      await service.post({ playerId: ROWAN.playerId, amount: 5, quantity: 1, name: 'Axe' });
      const asked = await reverse();
      const before = await balanceOf(ROWAN.playerId);
      const refused = await press({ chatId: TREASURER.chatId }, actionOf(asked, 'Reverse'));
      expect(textOf(refused)).toContain('needs the role treasurer');
      const guild = await service.guilds.find(GUILD);
      await service.store.roles.deleteChatRole(guild, '778', changeAt(service.clock.nowMs()));
      expect(textOf(await press(TREASURER, actionOf(asked, 'Reverse')))).toContain(
        'needs the role treasurer',
      );
      expect(await balanceOf(ROWAN.playerId)).toBe(before);
      const role = { chatRoleId: '778', name: 'Treasurers', role: 'treasurer' } as const;
      await service.store.roles.setChatRole(guild, role, changeAt(service.clock.nowMs()));
    });

    test('changes nothing when it is cancelled, pressed by another person, or about nothing', async () => {
      const asked = await reverse();
      const before = await balanceOf(ROWAN.playerId);
      expect(textOf(await press(TREASURER, actionOf(asked, 'Cancel')))).toBe('Nothing was changed.');
      const other = { chatId: '305', roles: ['778'] };
      expect(textOf(await press(other, actionOf(asked, 'Reverse')))).toContain('Only the person');
      const nothing = await service.use(TREASURER, 'reverse', [
        text('transaction', 'x'),
        text('reason', 'y'),
      ]);
      expect(textOf(nothing)).toContain('There is no such transaction');
      expect(textOf(await press(TREASURER, actionOf(asked, 'Reverse'), OTHER_GUILD))).toContain(
        'needs the role',
      );
      expect(await balanceOf(ROWAN.playerId)).toBe(before);
    });
  });
}
