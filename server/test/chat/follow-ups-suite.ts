import { afterAll, beforeAll, beforeEach, expect, test } from 'vitest';
import { appointTreasurers, postOptions, TREASURER } from './acting.ts';
import { type ChatService, GUILD, KESTREL, ROWAN, type StartChatService } from './chat-guild.ts';
import { commandOf, interact, interactionOf, isEphemeral, OPTION, pressOf, textOf } from './fake-discord.ts';

const PNG = Buffer.from([0x89, 0x50, 0x4e, 0x47]);

/** Pictures and replies that come after the answer. */
export function describeFollowUps(start: StartChatService): void {
  let service: ChatService;
  beforeAll(async () => {
    service = await start({}, { chatDeferMs: 2_000 });
    await service.post({ playerId: ROWAN.playerId, amount: 100, quantity: 1 });
    service.clock.advance(5 * 86_400_000);
    await service.post({ playerId: ROWAN.playerId, amount: -40, quantity: 1 });
  });
  afterAll(() => service.stop());
  beforeEach(() => {
    service.discord.changes.length = 0;
  });

  test('a balance gets its picture of 30 days afterwards, for the same reader', async () => {
    const answer = await service.use(ROWAN, 'balance');
    const [change] = await service.discord.until(1);
    expect(change).toMatchObject({ method: 'PATCH', status: 200, message: { flags: 64 } });
    expect(change?.message.embeds).toEqual([
      expect.objectContaining({ image: { url: 'attachment://balance.png' } }),
    ]);
    expect(change?.message.attachments).toEqual([{ id: 0, filename: 'balance.png' }]);
    expect(change?.picture?.subarray(0, 4)).toEqual(PNG);
    expect(textOf(answer)).toContain('**60**');
  });

  test('a change that Discord refuses for now is sent again', async () => {
    service.discord.refuse(404, 429, 503);
    await service.use(ROWAN, 'balance');
    const changes = await service.discord.until(4);
    expect(changes.map(({ status }) => status)).toEqual([404, 429, 503, 200]);
  });

  test('a change with an expired token is given up, and the service goes on', async () => {
    service.discord.refuse(401);
    await service.use(ROWAN, 'balance');
    expect((await service.discord.until(1)).map(({ status }) => status)).toEqual([401]);
    await expect.poll(() => service.logLines.join('')).toContain('was not answered completely');
    expect(textOf(await service.use(ROWAN, 'balance'))).toContain('**60**');
    expect(service.discord.changes.filter(({ status }) => status === 401)).toHaveLength(1);
  });

  test('an account without transactions has no picture', async () => {
    await service.use(KESTREL, 'balance');
    await service.use(ROWAN, 'balance');
    const [change] = await service.discord.until(1);
    expect(JSON.stringify(change?.message)).toContain(`<@${ROWAN.chatId}>`);
  });
}

/** The usual time after which a reply is promised. */
export function describeUsualDeferral(start: StartChatService): void {
  test('a store that does not answer does not keep Discord waiting for three seconds', async () => {
    // Undefined stands for the value of the service; other tests have a longer one, so that a busy machine defers nothing.
    const service = await start({}, { chatDeferMs: undefined });
    service.store.chat.find = () => new Promise(() => {});
    const promised = await interact(service, interactionOf(GUILD, KESTREL, commandOf('history')));
    expect(promised.type).toBe(5);
    await service.stop();
  });
}

/** Replies that take longer than a service may let Discord wait. */
export function describeDeferred(start: StartChatService): void {
  let service: ChatService;
  let release: () => void;
  beforeAll(async () => {
    service = await start({}, { chatDeferMs: 20 });
    const { chat } = service.store;
    const find = chat.find.bind(chat);
    // Every command reads its guild first. It waits there until the test lets it go on.
    chat.find = async (guildId) => {
      await new Promise<void>((resolve) => {
        release = resolve;
      });
      return find(guildId);
    };
  });
  afterAll(() => service.stop());
  beforeEach(() => {
    service.discord.changes.length = 0;
    service.clock.advance(10_001);
  });

  test('are promised in time and sent afterwards, to the caller alone', async () => {
    const promised = await interact(service, interactionOf(GUILD, KESTREL, commandOf('history')));
    expect([promised.type, isEphemeral(promised)]).toEqual([5, true]);
    release();
    const [change] = await service.discord.until(1);
    expect(change).toMatchObject({ method: 'PATCH', message: { flags: 64 } });
    expect(JSON.stringify(change?.message)).toContain('no transactions yet');
  });

  test('are promised to the channel when they are to be shared', async () => {
    const share = { name: 'share', type: OPTION.flag, value: true };
    const promised = await interact(service, interactionOf(GUILD, KESTREL, commandOf('history', [share])));
    expect([promised.type, isEphemeral(promised)]).toEqual([5, false]);
    release();
    const [change] = await service.discord.until(1);
    expect(change?.message.flags).toBeUndefined();
  });

  test('whose token has expired are given up: a post is kept, and told when the command is delivered again', async () => {
    await appointTreasurers(service);
    const guild = await service.guilds.find(GUILD);
    const balance = async () => (await service.store.entries.account(guild, ROWAN.playerId)).balanceUnits;
    const before = await balance();
    const command = interactionOf(GUILD, TREASURER, commandOf('post', postOptions(1, 'Late')));
    service.discord.refuse(401);
    expect((await interact(service, command)).type).toBe(5);
    release();
    expect((await service.discord.until(1)).map(({ status }) => status)).toEqual([401]);
    expect(await balance()).toBe(before + 20_000);
    expect((await interact(service, command)).type).toBe(5);
    release();
    const again = (await service.discord.until(2))[1];
    expect(again).toMatchObject({ method: 'PATCH', status: 200 });
    expect(JSON.stringify(again?.message)).toContain('Late');
    expect(await balance()).toBe(before + 20_000);
  });

  test('to a button change its message, or are a message of their own when it is refused', async () => {
    const action = `history ${KESTREL.chatId} 1 own`;
    const promised = await interact(service, interactionOf(GUILD, KESTREL, pressOf(action)));
    expect(promised.type).toBe(6);
    release();
    expect((await service.discord.until(1))[0]).toMatchObject({ method: 'PATCH', status: 200 });
    await interact(service, interactionOf(GUILD, ROWAN, pressOf(action)));
    release();
    const added = (await service.discord.until(2))[1];
    expect(added).toMatchObject({ method: 'POST', status: 200, message: { flags: 64 } });
    expect(JSON.stringify(added?.message)).toContain('to their owners only');
  });
}
