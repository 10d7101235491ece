import { afterAll, beforeAll, expect, test } from 'vitest';
import { nextSummaryAt } from '../../src/domain/webhooks/summary-time.ts';
import { changeAt } from '../support/change.ts';
import { startReceiver } from '../support/webhook-receiver.ts';
import { ALLOWED } from '../webhooks/webhook-guild.ts';
import { appointTreasurers, postOptions, TREASURER } from './acting.ts';
import {
  type ChatService,
  GUILD,
  OTHER_GUILD,
  ROWAN,
  STRANGER,
  type StartChatService,
} from './chat-guild.ts';
import { commandOf, interact, interactionOf, textOf } from './fake-discord.ts';

/** Replies and the weekly summary of a guild that speaks German, beside one that has chosen no language. */
export function describeGuildLanguage(start: StartChatService): void {
  let service: ChatService;
  beforeAll(async () => {
    service = await start(ALLOWED);
    const german = { guildId: GUILD, language: 'de', defaultPlan: 'none' } as const;
    await service.store.guilds.set(german, changeAt(service.clock.nowMs()));
    const prize = { playerId: ROWAN.playerId, amount: 1_234.5, quantity: 1, name: 'Prize', source: 'event' };
    await service.post(prize);
  });
  afterAll(() => service.stop());

  test('replies are in the language of the guild, and their numbers in that of the reader', async () => {
    const english = textOf(await service.use(ROWAN, 'balance'));
    expect(english).toContain('Letzte Änderung: +1,234.50 · Prize');
    expect(english).toContain('Buchungen: 1');
    const german = textOf(await service.use({ ...ROWAN, locale: 'de' }, 'balance'));
    expect(german).toContain('Letzte Änderung: +1.234,50 · Prize');
    expect(textOf(await service.use({ ...ROWAN, locale: 'de' }, 'history', [], OTHER_GUILD))).toContain(
      'There are no transactions yet.',
    );
  });

  test('refusals are in the language of the guild, for somebody who is too quick as well', async () => {
    expect(textOf(await service.use(STRANGER, 'balance'))).toContain('Noch nicht verifiziert');
    expect(textOf(await service.use(ROWAN, 'post'))).toContain('die Rolle „Kassenwart“');
    expect(textOf(await service.use(ROWAN, 'nonsense'))).toContain('Dieser Befehl hat sich geändert');
    const call = () => interact(service, interactionOf(GUILD, ROWAN, commandOf('balance')));
    service.clock.advance(10_001);
    for (let count = 0; count < 5; count += 1) {
      await call();
    }
    expect(textOf(await call())).toContain('Das ging schnell');
  });

  test('details of refused input are in the language of the guild', async () => {
    await appointTreasurers(service);
    const reply = textOf(await service.use(TREASURER, 'post', postOptions(0)));
    expect(reply).toBe('Das geht nicht\\: Der Betrag darf nicht null sein.');
  });

  test('where no guild is known, replies are in the language of the reader', async () => {
    const reader = { ...ROWAN, locale: 'pt-BR' };
    const reply = textOf(await service.use(reader, 'balance', [], '1'));
    expect(reply).toContain('Este servidor ainda não tem livro');
    const {
      guild_id: _guild,
      member: _member,
      ...direct
    } = interactionOf(GUILD, reader, commandOf('balance'));
    for (const [locale, text] of [
      ['es-419', 'Este comando solo funciona en un servidor.'],
      ['ja', 'このコマンドはサーバー内でのみ使えます。'],
      ['ko', 'Use this command in a server.'],
    ]) {
      expect(textOf(await interact(service, { ...direct, locale, user: { id: '301' } }))).toBe(text);
    }
  });

  test('built-in commands are described in the language of the guild', async () => {
    const text = textOf(await service.use(ROWAN, 'commands'));
    expect(text).toMatch(/^Befehle\n/);
    expect(text).toContain('**/balance** · Zeigt den eigenen Kontostand');
  });

  test('the weekly summary is in the language of the guild', async () => {
    const receiver = await startReceiver((response) => {
      response.writeHead(200, { 'content-type': 'application/json' }).end('{"id":"1"}');
    });
    const url = `${new URL(receiver.url).origin}/api/webhooks/1234/secret-token`;
    const payload = { url, kind: 'discord', events: ['summary.weekly'] };
    service.clock.advance(1_000);
    const reply = await service.send({ method: 'POST', url: '/guild/webhooks', key: service.key, payload });
    expect(reply.text).toContain('"success":true');
    service.clock.advance(nextSummaryAt(service.clock.nowMs()) - service.clock.nowMs());
    const [delivery] = await receiver.until(1);
    expect(delivery?.body).toContain('"title":"Die Woche ab dem 15. Juni 2026"');
    expect(delivery?.body).toContain('"description":"15. Juni 2026 bis 21. Juni 2026, in UTC"');
    expect(delivery?.body).toContain('{"name":"Eingänge","value":"1.234,5","inline":true}');
  });
}
