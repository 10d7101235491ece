import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { CHAT_COMMANDS } from '../../src/domain/chat/commands.ts';
import { textsOf } from '../../src/texts/texts-of.ts';
import { changeAt } from '../support/change.ts';
import { amount, makeUsual, member, postOptions, text } from './acting.ts';
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
  type DiscordMember,
  type DiscordOption,
  deliver,
  interactionOf,
  isEphemeral,
  OPTION,
  signedHeaders,
  textOf,
} from './fake-discord.ts';
import { choose } from './settings.ts';

/** May use every command. */
const MANAGER = { ...ROWAN, permissions: '32' };
/** The reply after a defect of the service. */
const FAILED = textsOf({ language: 'en' }).chat.failed;
const NOT_VERIFIED = 'You are not verified yet';
const STALE = 'This command has changed. Reload the chat and try again.';

/** A call of each command, and the reply to it for somebody without a role and a verification. */
const CALLS: Readonly<
  Record<string, { options: (transactionId: string) => DiscordOption[]; stranger: string }>
> = {
  balance: { options: () => [], stranger: NOT_VERIFIED },
  history: { options: () => [], stranger: NOT_VERIFIED },
  leaderboard: { options: () => [], stranger: 'Rowan' },
  whois: { options: () => [member(KESTREL.chatId)], stranger: 'KestrelVane' },
  commands: { options: () => [text('category', 'Guildbook')], stranger: '/balance' },
  discharge: { options: () => [text('id', 'dis_1')], stranger: 'needs the role viewer' },
  transfer: { options: () => [text('id', 'trf_1')], stranger: 'needs the role viewer' },
  receipt: { options: (id) => [text('transaction', id)], stranger: 'There is no such transaction' },
  pay: { options: () => [member(KESTREL.chatId), amount(1)], stranger: NOT_VERIFIED },
  post: { options: () => postOptions(1), stranger: 'needs the role treasurer' },
  reverse: {
    options: (id) => [text('transaction', id), text('reason', 'Sold twice')],
    stranger: 'needs the role treasurer',
  },
};
const NAMES = Object.keys(CALLS);

/** Invalid values of `options`, which no client of Discord sends. */
const GARBAGE: readonly unknown[] = [
  null,
  1,
  'x',
  {},
  [null],
  [1],
  [[]],
  [{ name: 1, type: OPTION.text, value: 'x' }],
  [{ name: 'member', type: OPTION.member, value: { id: '1' } }],
  [{ name: '__proto__', type: OPTION.text, value: 'x' }],
  Array.from({ length: 100 }, () => text('name', 'x')),
];

/** The same checks of every command. A new command fails the first test until it has a call above. */
export function describeEveryCommand(start: StartChatService): void {
  let service: ChatService;
  let transactionId: string;
  beforeAll(async () => {
    service = await start();
    await makeUsual(service);
    await service.post({ playerId: ROWAN.playerId, amount: 100, quantity: 1, name: 'Axe' });
    const guild = await service.guilds.find(GUILD);
    const shared = {
      playerId: KESTREL.playerId,
      name: 'KestrelVane',
      from: 'a',
      signed: 'b',
      guildId: GUILD,
    };
    const discharge = { ...shared, id: 'dis_1', chatId: '302', reason: 'c', date: '2026-03-14', type: 'd' };
    await service.store.discharges.put(guild, [discharge], changeAt(0));
    const transfer = { ...shared, id: 'trf_1', date: '2026-05-02T18:22:05.000Z', to: 'e' };
    await service.store.transfers.put(guild, [transfer], changeAt(0));
    transactionId = JSON.parse(
      (await service.send({ url: `/guild/ledger/${ROWAN.playerId}/transactions`, key: service.key })).text,
    ).data.transactions[0].transactionId;
  });
  afterAll(() => service.stop());

  const optionsOf = (name: string) => CALLS[name]?.options(transactionId) ?? [];
  const use = (name: string, who: DiscordMember = MANAGER, guildId = GUILD) =>
    service.use(who, name, optionsOf(name), guildId);
  /** Sums, transactions and the newest entries of the logs of both guilds. */
  const contents = () =>
    Promise.all(
      [GUILD, OTHER_GUILD].map(async (guildId) => {
        const guild = await service.guilds.find(guildId);
        const [entry] = await service.store.audit.list(guild, { limit: 1 });
        return { ...(await service.store.ledgerViews.totals(guild)), entryNo: entry?.entryNo };
      }),
    );
  const payloadOf = (name: string, data: object = {}) => {
    service.clock.advance(10_001);
    const command = commandOf(name, optionsOf(name)) as { type: number; data: object };
    return JSON.stringify(interactionOf(GUILD, MANAGER, { ...command, data: { ...command.data, ...data } }));
  };

  test('every command has a call here', () => {
    expect(NAMES.toSorted()).toEqual(CHAT_COMMANDS.map(({ name }) => name).toSorted());
  });

  describe.each(NAMES)('/%s', (name) => {
    test('answers somebody who may use it, for them alone', async () => {
      const answer = await use(name);
      expect(textOf(answer)).not.toMatch(/has changed|needs the role|not verified/);
      expect(textOf(answer)).not.toContain(FAILED);
      expect(isEphemeral(answer)).toBe(true);
    });

    test('says that it is switched off', async () => {
      await choose(service, { membersPay: true, commandsOff: [name] });
      const before = await contents();
      expect(textOf(await use(name))).toContain(`has switched off /${name}`);
      expect(await contents()).toEqual(before);
      await choose(service, { membersPay: true });
    });

    test('gives a stranger nothing that needs a role or a verification', async () => {
      const before = await contents();
      const answer = await use(name, STRANGER);
      expect(textOf(answer)).toContain(CALLS[name]?.stranger);
      expect(isEphemeral(answer)).toBe(true);
      expect(await contents()).toEqual(before);
    });

    test('of a plain member shows and changes nothing of another guild, and finds none where there is none', async () => {
      const before = await contents();
      const answer = await use(name, ROWAN, OTHER_GUILD);
      expect(isEphemeral(answer)).toBe(true);
      // The item and the sum of the transaction in the first guild.
      expect(textOf(answer)).not.toMatch(/Axe|\*\*100\*\*/);
      expect(textOf(await use(name, MANAGER, '4711'))).toContain('This server has no book yet');
      expect(await contents()).toEqual(before);
    });

    test('with an unknown option, or one of another type, asks to reload and changes nothing', async () => {
      const before = await contents();
      const options = optionsOf(name);
      const wrong = options.flatMap((option, index) => [
        options.with(index, { ...option, type: option.type === OPTION.flag ? OPTION.text : OPTION.flag }),
        options.with(index, { ...option, value: typeof option.value === 'string' ? 5 : 'five' }),
      ]);
      for (const given of [[...options, text('other', 'x')], ...wrong]) {
        const answer = await service.use(MANAGER, name, given);
        expect(textOf(answer)).toBe(STALE);
        expect(isEphemeral(answer)).toBe(true);
      }
      expect(await contents()).toEqual(before);
    });

    test('with garbage in place of options is refused and changes nothing', async () => {
      const before = await contents();
      for (const options of GARBAGE) {
        // Commands without required options may be answered as if they had none.
        const reply = await deliver(service, payloadOf(name, { options }));
        expect([200, 400]).toContain(reply.status);
        if (reply.status === 200) expect(textOf(reply.body)).not.toContain(FAILED);
      }
      expect(await contents()).toEqual(before);
    });

    test('that is delivered twice has one effect and one answer', async () => {
      const payload = payloadOf(name);
      const first = await deliver(service, payload);
      const after = await contents();
      const again = await Promise.all([deliver(service, payload), deliver(service, payload)]);
      for (const reply of again) expect([reply.status, reply.text]).toEqual([200, first.text]);
      expect(await contents()).toEqual(after);
    });

    test('with the signature of another request is refused', async () => {
      const before = await contents();
      const headers = signedHeaders(payloadOf(name), service.clock.nowMs());
      const payload = payloadOf(name);
      const reply = await service.send({ method: 'POST', url: '/chat/interactions', payload, headers });
      expect([reply.status, reply.body.code]).toEqual([401, 'invalid_signature']);
      expect(await contents()).toEqual(before);
      // Failed authentications of one address are throttled.
      service.clock.advance(60_000);
    });
  });
}
