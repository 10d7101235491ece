import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { type ChatService, GUILD, OTHER_GUILD, ROWAN, type StartChatService } from './chat-guild.ts';
import {
  commandOf,
  type DiscordOption,
  deliver,
  interact,
  interactionOf,
  isEphemeral,
  OPTION,
  signedHeaders,
  textOf,
} from './fake-discord.ts';

const URL = '/chat/interactions';
const REFUSED = '{"success":false,"message":"Unauthorized - invalid signature","code":"invalid_signature"}';

/** The endpoint of the chat platform: signatures, forms and limits. */
export function describeChatEndpoint(start: StartChatService): void {
  let service: ChatService;
  beforeAll(async () => {
    service = await start();
  });
  afterAll(() => service.stop());

  const balanceOf = (options: DiscordOption[] = []) =>
    JSON.stringify(interactionOf(GUILD, ROWAN, commandOf('balance', options)));
  const sendWith = (payload: string | Buffer, headers: Record<string, string>) =>
    service.send({ method: 'POST', url: URL, payload, headers });

  describe('a signed request', () => {
    test('that is a ping gets a pong', async () => {
      const reply = await deliver(service, '{"type":1}');
      expect([reply.status, reply.text]).toEqual([200, '{"type":1}']);
      expect(reply.headers['cache-control']).toBe('no-store');
    });

    test('with a flipped bit anywhere is refused', async () => {
      const body = Buffer.from(balanceOf());
      const headers = signedHeaders(body, service.clock.nowMs());
      const flip = (bytes: Buffer, bit: number) => {
        const copy = Buffer.from(bytes);
        copy[bit >> 3] = (copy[bit >> 3] ?? 0) ^ (1 << (bit & 7));
        return copy;
      };
      // Not every bit: too many failures of one address are throttled.
      for (let bit = 0; bit < body.length * 8; bit += 997) {
        const reply = await sendWith(flip(body, bit), headers);
        expect([reply.status, reply.text]).toEqual([401, REFUSED]);
      }
      const signature = Buffer.from(headers['x-signature-ed25519'] ?? '', 'hex');
      for (let bit = 0; bit < 512; bit += 37) {
        const changed = { ...headers, 'x-signature-ed25519': flip(signature, bit).toString('hex') };
        expect((await sendWith(body, changed)).status).toBe(401);
      }
      const timestamp = Number(headers['x-signature-timestamp']);
      for (const other of [timestamp - 1, timestamp + 1, `0${timestamp}`, `${timestamp} `, '', 'now']) {
        const changed = { ...headers, 'x-signature-timestamp': String(other) };
        expect((await sendWith(body, changed)).status).toBe(401);
      }
      expect((await sendWith(body, headers)).status).toBe(200);
      service.clock.advance(60_000);
    });

    test('without a signature, or with half of one, is refused before it is parsed', async () => {
      const headers = signedHeaders('{', service.clock.nowMs());
      const { 'x-signature-ed25519': signature = '', ...unsigned } = headers;
      for (const given of [unsigned, { ...headers, 'x-signature-ed25519': signature.slice(0, 64) }]) {
        expect((await sendWith('{', given)).text).toBe(REFUSED);
      }
      expect((await sendWith('{', headers)).body.code).toBe('malformed_json');
    });

    test('is accepted for five minutes', async () => {
      const body = '{"type":1}';
      const headers = signedHeaders(body, service.clock.nowMs());
      service.clock.advance(299_000);
      expect((await sendWith(body, headers)).status).toBe(200);
      service.clock.advance(2_000);
      expect((await sendWith(body, headers)).text).toBe(REFUSED);
      const early = signedHeaders(body, service.clock.nowMs() + 302_000);
      expect((await sendWith(body, early)).text).toBe(REFUSED);
    });

    test.each([
      ['a number', '1'],
      ['nothing', '{}'],
      ['another type', '{"type":9,"id":"1","token":"t"}'],
      ['no data', JSON.stringify({ ...interactionOf(GUILD, ROWAN, {}), type: 2 })],
      [
        'an id that is none',
        JSON.stringify({ ...interactionOf(GUILD, ROWAN, commandOf('balance')), id: {} }),
      ],
      [
        'roles that are no list',
        JSON.stringify({ ...interactionOf(GUILD, ROWAN, commandOf('balance')), member: { roles: 1 } }),
      ],
      ['16 kB of garbage', JSON.stringify({ type: 2, id: 'x'.repeat(16_000) })],
    ])('with %s is answered 400', async (_name, body) => {
      const reply = await deliver(service, body);
      expect([reply.status, reply.body.success]).toEqual([400, false]);
    });

    test('of 16 kB that is no JSON is answered 400, and 401 when it is not signed', async () => {
      const garbage = Buffer.alloc(16 * 1024, 0xc3);
      expect((await deliver(service, garbage)).body.code).toBe('malformed_json');
      const headers = { ...signedHeaders('', service.clock.nowMs()) };
      expect((await sendWith(garbage, headers)).text).toBe(REFUSED);
    });

    test('outside of a guild is told where commands work', async () => {
      const {
        guild_id: _guild,
        member: _member,
        ...direct
      } = interactionOf(GUILD, ROWAN, commandOf('balance'));
      expect(textOf(await interact(service, { ...direct, user: { id: '301' } }))).toBe(
        'Use this command in a server.',
      );
    });
  });

  describe('a command', () => {
    test.each([
      ['an unknown name', 'nonsense', []],
      ['an unknown option', 'balance', [{ name: 'other', type: OPTION.text, value: 'x' }]],
      ['an option of another kind', 'balance', [{ name: 'member', type: OPTION.text, value: '302' }]],
      ['a value of another type', 'balance', [{ name: 'member', type: OPTION.member, value: 302 }]],
    ])('with %s asks to reload, for the caller alone', async (_name, command, options) => {
      const answer = await service.use(ROWAN, command, options);
      expect(textOf(answer)).toBe('This command has changed. Reload the chat and try again.');
      expect(isEphemeral(answer)).toBe(true);
    });

    test('in a guild without a book says so', async () => {
      expect(textOf(await service.use(ROWAN, 'balance', [], '4711'))).toContain(
        'This server has no book yet',
      );
    });

    test('may be used five times in ten seconds by a person, in all guilds together', async () => {
      service.clock.advance(10_001);
      const texts: string[] = [];
      for (let count = 0; count < 6; count += 1) {
        const guildId = count % 2 === 0 ? GUILD : OTHER_GUILD;
        texts.push(textOf(await interact(service, interactionOf(guildId, ROWAN, commandOf('balance')))));
      }
      expect(texts.filter((text) => text.includes('wait a few seconds'))).toEqual([texts[5]]);
      expect(textOf(await service.use(ROWAN, 'balance'))).not.toContain('wait');
    });
  });
}
