import { afterAll, beforeAll, expect, test } from 'vitest';
import {
  type ChatService,
  KESTREL,
  OTHER_GUILD,
  ROWAN,
  STRANGER,
  type StartChatService,
} from './chat-guild.ts';
import { isEphemeral, OPTION, textOf } from './fake-discord.ts';
import { choose } from './settings.ts';

const memberOption = (value: string) => ({ name: 'member', type: OPTION.member, value });

export function describeBalance(start: StartChatService): void {
  let service: ChatService;
  beforeAll(async () => {
    service = await start();
    await service.post({
      playerId: ROWAN.playerId,
      amount: 1234.5,
      quantity: 1,
      name: '@everyone **Ore** https://a.example',
    });
  });
  afterAll(() => service.stop());

  test('shows the balance and the last change, to the caller alone', async () => {
    const answer = await service.use(ROWAN, 'balance');
    expect(textOf(answer)).toContain('**1,234.50**');
    expect(textOf(answer)).toMatch(/Last change: \+1,234.50 · .*<t:\d+:R>/);
    expect(isEphemeral(answer)).toBe(true);
  });

  test('lets no mention, link or formatting of a stranger through', async () => {
    const text = textOf(await service.use(ROWAN, 'balance'));
    expect(text).not.toContain('@everyone');
    expect(text).not.toContain('https://');
    expect(text).not.toContain(' **Ore**');
  });

  test('writes numbers in the reader’s language', async () => {
    expect(textOf(await service.use({ ...ROWAN, locale: 'de' }, 'balance'))).toContain('**1.234,50**');
    expect(textOf(await service.use({ ...ROWAN, locale: 'no such_tag' }, 'balance'))).toContain(
      '**1,234.50**',
    );
  });

  test('is shown to the channel when the caller asks for it', async () => {
    const share = { name: 'share', type: OPTION.flag, value: true };
    expect(isEphemeral(await service.use(ROWAN, 'balance', [share]))).toBe(false);
  });

  test('of another member is shown where the guild allows it', async () => {
    expect(textOf(await service.use(KESTREL, 'balance', [memberOption(ROWAN.chatId)]))).toContain(
      'to their owners only',
    );
    await choose(service, { balancesShown: true });
    expect(textOf(await service.use(KESTREL, 'balance', [memberOption(ROWAN.chatId)]))).toContain(
      '**1,234.50**',
    );
    expect(textOf(await service.use(KESTREL, 'balance'))).toContain('**0**');
  });

  test('in another guild is another balance', async () => {
    expect(textOf(await service.use(ROWAN, 'balance', [], OTHER_GUILD))).toContain('**0**');
  });

  test('tells somebody who is not verified how to become so', async () => {
    expect(textOf(await service.use(STRANGER, 'balance'))).toContain('You are not verified yet');
    expect(textOf(await service.use(ROWAN, 'balance', [memberOption(STRANGER.chatId)]))).toContain(
      'is not verified',
    );
  });
}
