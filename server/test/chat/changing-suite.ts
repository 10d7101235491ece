import { afterAll, beforeAll, beforeEach, describe, expect, test } from 'vitest';
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
  commandOf,
  completionOf,
  deliver,
  interact,
  interactionOf,
  messageOf,
  OPTION,
  pressOf,
  textOf,
} from './fake-discord.ts';
import { choose } from './settings.ts';

const member = (value: string) => ({ name: 'member', type: OPTION.member, value });
const text = (name: string, value: string) => ({ name, type: OPTION.text, value });
const amount = (value: unknown) => ({ name: 'amount', type: OPTION.number, value });
const quantity = (value: unknown) => ({ name: 'quantity', type: OPTION.integer, value });
const TREASURER = { chatId: '304', roles: ['778'] };
const postOptions = (value: number, name = 'Prize') => [
  member(ROWAN.chatId),
  amount(value),
  quantity(2),
  text('name', name),
  text('source', 'event'),
];

/** The commands that change something. */
export function describeChanging(start: StartChatService): void {
  let service: ChatService;
  beforeAll(async () => {
    service = await start();
    const guild = await service.guilds.find(GUILD);
    const role = { chatRoleId: '778', name: 'Treasurers', role: 'treasurer' } as const;
    await service.store.roles.setChatRole(guild, role, changeAt(service.clock.nowMs()));
  });
  afterAll(() => service.stop());
  beforeEach(async () => {
    await choose(service, { membersPay: true });
    await service.guilds.set({ guildId: GUILD, overdraftAllowed: true }, TESTER);
  });

  type Answer = Awaited<ReturnType<typeof interact>>;
  const press = (who: { chatId: string }, action: string, guildId = GUILD) => {
    service.clock.advance(10_001);
    return interact(service, interactionOf(guildId, who, pressOf(action)));
  };
  const actionOf = (answer: Answer, label: string) =>
    messageOf(answer).components?.[0]?.components.find((one) => one.label === label)?.custom_id ?? '';
  const balanceOf = async (playerId: string) => {
    const account = await service.store.entries.account(await service.guilds.find(GUILD), playerId);
    return account.balanceUnits / 10_000;
  };
  const setBalance = async (playerId: string, target: number) => {
    const difference = target - (await balanceOf(playerId));
    if (difference !== 0) {
      await service.post({ playerId, amount: difference, quantity: 1 });
    }
  };
  const newestOf = async (playerId: string) =>
    (
      await service.store.entries.history(await service.guilds.find(GUILD), {
        playerId,
        limit: 1,
        before: undefined,
        source: undefined,
        minUnits: undefined,
        maxUnits: undefined,
        sinceMs: undefined,
        untilMs: undefined,
        reference: undefined,
        namePrefix: undefined,
      })
    ).entries[0];

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

  describe('/pay', () => {
    const pay = (value: number, note?: string, who = ROWAN, to = KESTREL.chatId) =>
      service.use(who, 'pay', [
        member(to),
        amount(value),
        ...(note === undefined ? [] : [text('note', note)]),
      ]);
    beforeEach(async () => {
      await setBalance(ROWAN.playerId, 100);
      await setBalance(KESTREL.playerId, 0);
    });
    const balances = async () => [await balanceOf(ROWAN.playerId), await balanceOf(KESTREL.playerId)];

    test('asks first, then pays both sides', async () => {
      const asked = await pay(12.5, 'For the *axe*');
      expect(textOf(asked)).toContain('Your balance afterwards: 87.50');
      expect(await balances()).toEqual([100, 0]);
      const paid = await press(ROWAN, actionOf(asked, 'Pay'));
      expect(textOf(paid)).toContain('Your balance: 87.50');
      expect(await balances()).toEqual([87.5, 12.5]);
      expect(await newestOf(KESTREL.playerId)).toMatchObject({
        name: 'For the *axe*',
        source: 'chat',
        postedBy: { kind: 'user', id: ROWAN.chatId },
      });
    });

    test('pays once, however often it is confirmed at once', async () => {
      const action = actionOf(await pay(1), 'Pay');
      service.clock.advance(10_001);
      const presses = Array.from({ length: 100 }, () => interactionOf(GUILD, ROWAN, pressOf(action)));
      const answers = await Promise.all(presses.map((one) => interact(service, one)));
      const paid = answers.filter((answer) => textOf(answer).startsWith('Paid'));
      expect(new Set(paid.map(textOf)).size).toBe(1);
      expect(await balances()).toEqual([99, 1]);
      expect(textOf(await press(ROWAN, action))).toBe(textOf(paid[0] ?? { type: 1 }));
      expect(await balances()).toEqual([99, 1]);
    });

    test('and /post never take an account below its limit together', async () => {
      await service.guilds.set({ guildId: GUILD, overdraftAllowed: false }, TESTER);
      await setBalance(ROWAN.playerId, 10);
      const actions = [actionOf(await pay(6), 'Pay'), actionOf(await pay(7), 'Pay')];
      service.clock.advance(10_001);
      const answers = await Promise.all([
        ...actions.map((action) => interact(service, interactionOf(GUILD, ROWAN, pressOf(action)))),
        interact(service, interactionOf(GUILD, TREASURER, commandOf('post', postOptions(-4)))),
      ]);
      expect(answers.filter((answer) => textOf(answer).includes('does not cover'))).toHaveLength(2);
      const [rowan = -1, kestrel = 0] = await balances();
      expect(rowan).toBeGreaterThanOrEqual(0);
      expect([10, 2].map((sum) => sum - kestrel)).toContain(rowan);
    });

    test('keeps within the limit of a day, also when several are confirmed at once', async () => {
      await choose(service, { membersPay: true, payDayMaxUnits: 100_000 });
      service.clock.advance(2 * 86_400_000);
      expect(textOf(await pay(10.5))).toContain('can pay 10 a day');
      const actions: string[] = [];
      for (const value of [4, 4, 4]) {
        actions.push(actionOf(await pay(value), 'Pay'));
      }
      service.clock.advance(10_001);
      const presses = actions.flatMap((action) => [action, action]);
      const answers = await Promise.all(
        presses.map((action) => interact(service, interactionOf(GUILD, ROWAN, pressOf(action)))),
      );
      expect(answers.filter((answer) => textOf(answer).includes('a day'))).toHaveLength(2);
      expect(await balances()).toEqual([92, 8]);
      const rest = await press(ROWAN, actionOf(await pay(2), 'Pay'));
      expect(textOf(rest)).toContain('Paid');
      service.clock.advance(86_400_000);
      expect(textOf(await press(ROWAN, actionOf(await pay(10), 'Pay')))).toContain('Paid');
    });

    test('that was refused does not count against the limit', async () => {
      await choose(service, { membersPay: true, payDayMaxUnits: 100_000 });
      service.clock.advance(2 * 86_400_000);
      await service.guilds.set({ guildId: GUILD, overdraftAllowed: false }, TESTER);
      await setBalance(ROWAN.playerId, 5);
      const action = actionOf(await pay(10), 'Pay');
      expect(textOf(await press(ROWAN, action))).toContain('does not cover');
      await setBalance(ROWAN.playerId, 10);
      expect(textOf(await press(ROWAN, actionOf(await pay(10), 'Pay')))).toContain('Paid');
    });

    test('is refused where members may not pay, also between the command and the button', async () => {
      const action = actionOf(await pay(1), 'Pay');
      await choose(service, {});
      expect(textOf(await press(ROWAN, action))).toContain('does not let members pay');
      expect(textOf(await pay(1))).toContain('does not let members pay');
      await choose(service, { membersPay: true, commandsOff: ['pay'] });
      expect(textOf(await press(ROWAN, action))).toContain('has switched off /pay');
      expect(await balances()).toEqual([100, 0]);
    });

    test('is refused for oneself, the unverified, nothing, less than nothing, and after fifteen minutes', async () => {
      expect(textOf(await pay(1, undefined, ROWAN, ROWAN.chatId))).toContain('cannot pay yourself');
      expect(textOf(await pay(1, undefined, { ...ROWAN, ...STRANGER }))).toContain('You are not verified');
      expect(textOf(await pay(1, undefined, ROWAN, STRANGER.chatId))).toContain('is not verified');
      expect(textOf(await pay(0))).toContain('has changed');
      expect(textOf(await pay(-5))).toContain('has changed');
      const action = actionOf(await pay(1), 'Pay');
      expect(textOf(await press(KESTREL, action))).toContain('Only the person');
      expect(textOf(await press(ROWAN, action, OTHER_GUILD))).toContain('does not let members pay');
      service.clock.advance(900_000);
      expect(textOf(await press(ROWAN, action))).toContain('too old');
      expect(await balances()).toEqual([100, 0]);
    });

    test('does not take a balance below zero', async () => {
      expect(textOf(await press(ROWAN, actionOf(await pay(100.5), 'Pay')))).toContain('below zero');
      expect(await balances()).toEqual([100, 0]);
    });
  });
}
