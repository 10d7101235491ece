import { afterAll, beforeAll, expect, test } from 'vitest';
import { verifyReceipt } from '../../../client/src/index.ts';
import { sealerOf } from '../contract/seal-specimens.ts';
import { changeAt } from '../support/change.ts';
import {
  type ChatService,
  GUILD,
  KESTREL,
  OTHER_GUILD,
  ROWAN,
  STRANGER,
  type StartChatService,
} from './chat-guild.ts';
import { completionOf, interact, interactionOf, isEphemeral, OPTION, textOf } from './fake-discord.ts';
import { choose } from './settings.ts';

const transaction = (value: string) => ({ name: 'transaction', type: OPTION.text, value });

export function describeReceipts(start: StartChatService): void {
  let service: ChatService;
  let transactionId: string;
  beforeAll(async () => {
    service = await start({ PUBLIC_URL: 'https://guild.example.org' });
    // The key of the sealer below. The service needs its public part only.
    await sealerOf(service.store).keys.read();
    await service.post({ playerId: ROWAN.playerId, name: 'Axe' });
    const [first] = await newestOfRowan();
    transactionId = first?.transactionId ?? '';
  });
  afterAll(() => service.stop());

  const newestOfRowan = async () =>
    (
      await service.store.ledger.list(await service.guilds.find(GUILD), ROWAN.playerId, {
        page: 1,
        limit: 5,
        sortBy: 'createdAt',
        sortOrder: 'desc',
        source: undefined,
        minUnits: undefined,
        maxUnits: undefined,
      })
    ).transactions;
  const use = (who: { chatId: string }, guildId = GUILD) =>
    service.use(who, 'receipt', [transaction(transactionId)], guildId);

  test('a transaction that is not sealed yet has no receipt', async () => {
    expect(textOf(await use(ROWAN))).toContain('is not sealed yet');
  });

  test('the owner gets a link whose receipt holds', async () => {
    await sealerOf(service.store).seal();
    const answer = await use(ROWAN);
    expect(isEphemeral(answer)).toBe(true);
    const link =
      /\(https:\/\/guild\.example\.org\/receipt#receipt=([\w-]+)\)/.exec(textOf(answer))?.[1] ?? '';
    const { body } = await service.send({ url: '/guild/seal', key: service.key });
    const receipt = Buffer.from(link, 'base64url').toString();
    expect(await verifyReceipt(receipt, body.data.verifierKeys)).toMatchObject({
      transaction: { transactionId },
    });
  });

  test('others get it by their role, or where the guild shows balances of others', async () => {
    for (const who of [KESTREL, STRANGER]) {
      expect(textOf(await use(who))).toContain('There is no such transaction');
    }
    await choose(service, { balancesShown: true });
    expect(textOf(await use(STRANGER))).toContain('/receipt#receipt=');
    await choose(service, {});
    const guild = await service.guilds.find(GUILD);
    await service.store.roles.setPerson(
      guild,
      { chatId: KESTREL.chatId, role: 'viewer' },
      changeAt(service.clock.nowMs()),
    );
    expect(textOf(await use(KESTREL))).toContain('/receipt#receipt=');
    expect(textOf(await use(KESTREL, OTHER_GUILD))).toContain('There is no such transaction');
  });

  test('suggestions are the transactions that the caller may see', async () => {
    const suggest = async (who: { chatId: string }) => {
      service.clock.advance(10_001);
      const focused = { ...transaction('ax'), focused: true };
      const answer = await interact(service, interactionOf(GUILD, who, completionOf('receipt', [focused])));
      return (answer as { data: { choices: { value: string }[] } }).data.choices.map(({ value }) => value);
    };
    expect(await suggest(ROWAN)).toEqual([transactionId]);
    expect(await suggest(KESTREL)).toEqual([transactionId]);
    expect(await suggest(STRANGER)).toEqual([]);
  });
}
