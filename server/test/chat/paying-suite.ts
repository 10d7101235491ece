import { afterAll, beforeAll, beforeEach, describe, expect, test } from 'vitest';
import { changeAt, TESTER } from '../support/change.ts';
import {
  actingWith,
  amount,
  appointTreasurers,
  makeUsual,
  member,
  postOptions,
  TREASURER,
  text,
} from './acting.ts';
import {
  type ChatService,
  GUILD,
  KESTREL,
  OTHER_GUILD,
  ROWAN,
  STRANGER,
  type StartChatService,
} from './chat-guild.ts';
import { commandOf, interact, interactionOf, pressOf, textOf } from './fake-discord.ts';
import { choose } from './settings.ts';

/** Payments between members. */
export function describePaying(start: StartChatService): void {
  let service: ChatService;
  beforeAll(async () => {
    service = await start();
    await appointTreasurers(service);
  });
  afterAll(() => service.stop());
  beforeEach(() => makeUsual(service));

  const { press, actionOf, balanceOf, setBalance, newestOf } = actingWith(() => service);

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

    test.each([ROWAN, KESTREL])(
      'is refused when a side lost the verification between the command and the button: %j',
      async ({ chatId, playerId }) => {
        const action = actionOf(await pay(1), 'Pay');
        const change = changeAt(service.clock.nowMs());
        await service.store.verifications.delete(chatId, change);
        expect(textOf(await press(ROWAN, action))).toMatch(/not verified/);
        await service.store.verifications.put([{ chatId, playerId, username: `User ${chatId}` }], change);
        expect(await balances()).toEqual([100, 0]);
      },
    );

    test('is refused in another guild, and for values of another type', async () => {
      const options = [member(KESTREL.chatId), amount(1)];
      expect(textOf(await service.use(ROWAN, 'pay', options, OTHER_GUILD))).toContain(
        'does not let members pay',
      );
      for (const value of ['1', null, true]) {
        const given = [member(KESTREL.chatId), amount(value)];
        const reply = await service.use(ROWAN, 'pay', given).then(textOf, String);
        expect(reply).toMatch(/has changed|answered with 400/);
      }
      expect(await balances()).toEqual([100, 0]);
    });

    test('does not take a balance below zero', async () => {
      expect(textOf(await press(ROWAN, actionOf(await pay(100.5), 'Pay')))).toContain('below zero');
      expect(await balances()).toEqual([100, 0]);
    });
  });
}
