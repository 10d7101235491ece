import { createServer, type IncomingMessage, type ServerResponse } from 'node:http';
import type { AddressInfo } from 'node:net';
import { describe, expect, onTestFinished, test } from 'vitest';
import { createVerify, readPublicKey } from '../../src/chat-platform/discord/signature.ts';
import { APPLICATION_ID } from '../../src/demo/platform/channel/application.ts';
import { createDemoChannel } from '../../src/demo/platform/channel/channel.ts';
import { markdownToHtml } from '../../src/demo/platform/channel/markdown.ts';
import { createTestClock } from '../support/clock.ts';
import { testIds } from '../support/ids.ts';

const GUILD = { guildId: '10', name: 'Test guild', owner: false, permissions: '0', roles: ['77'] };
const ALICE = { chatId: '1', username: 'alice', about: 'owner', guilds: [GUILD] };
const BOB = { chatId: '2', username: '<b>bob</b>', about: 'member', guilds: [GUILD] };

/** Answers an interaction, whose signature has been checked. */
type Answer = (interaction: Record<string, unknown>) => { status?: number; body: object };

/** The channel on a real port, and a service on another one that checks signatures as ours does. */
async function startChannel(answerWith: Answer) {
  const clock = createTestClock();
  const channel = createDemoChannel({ clock, ids: testIds, people: [ALICE, BOB] });
  const verify = createVerify(readPublicKey(channel.application.publicKey), clock);
  const received: Record<string, unknown>[] = [];
  const service = await listen(async (request, response) => {
    const body = Buffer.concat(await Array.fromAsync(request));
    verify(request.headers, body);
    received.push(JSON.parse(body.toString()));
    const { status = 200, body: answer } = answerWith(JSON.parse(body.toString()));
    response.writeHead(status, { 'content-type': 'application/json' }).end(JSON.stringify(answer));
  });
  channel.application.deliverTo(`${service}/chat/interactions`);
  const origin = await listen(async (request, response) => {
    await channel.answer(request, response, new URL(request.url ?? '/', 'http://localhost'));
  });
  const send = (path: string, body: object, { method = 'POST', ...headers }: Record<string, string> = {}) =>
    fetch(`${origin}${path}`, {
      method,
      headers: { 'content-type': 'application/json', ...headers },
      body: JSON.stringify(body),
    });
  const page = async ({ chatId }: { chatId: string }) =>
    (await fetch(`${origin}/channel?as=${chatId}`)).text();
  return { clock, received, send, page };
}

async function listen(onRequest: (request: IncomingMessage, response: ServerResponse) => Promise<void>) {
  const server = createServer((request, response) => {
    onRequest(request, response).catch(() => response.writeHead(401).end());
  });
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
  onTestFinished(() => {
    server.close();
    server.closeAllConnections();
  });
  return `http://127.0.0.1:${(server.address() as AddressInfo).port}`;
}

const use = { as: '1', name: 'balance', options: [{ name: 'share', type: 5, value: true }], locale: 'de' };
const message = (content: string, flags = 0) => ({ type: 4, data: { content, flags } });

describe('the channel', () => {
  test('sends a command as a signed interaction of the person', async () => {
    const { send, received, page } = await startChannel(() => ({ body: message('**118** coins') }));
    expect((await send('/channel/commands', use)).status).toBe(200);
    expect(received).toMatchObject([
      {
        type: 2,
        guild_id: '10',
        locale: 'de',
        member: { user: { id: '1', username: 'alice' }, roles: ['77'], permissions: '0' },
        data: { name: 'balance', options: use.options },
      },
    ]);
    expect(await page(BOB)).toContain('<strong>118</strong> coins');
  });

  test('shows a private reply to its reader alone, until they dismiss it', async () => {
    const { send, page } = await startChannel(() => ({ body: message('a secret', 64) }));
    await send('/channel/commands', use);
    expect(await page(BOB)).not.toContain('a secret');
    const messageId = /id="message-(\d+)"/.exec(await page(ALICE))?.[1];
    expect((await send('/channel/dismissals', { as: '2', messageId })).status).toBe(400);
    expect((await send('/channel/dismissals', { as: '1', messageId })).status).toBe(200);
    expect(await page(ALICE)).not.toContain('a secret');
  });

  test('replaces a deferred reply once, and not after its token has expired', async () => {
    const { send, received, page, clock } = await startChannel(() => ({ body: { type: 5 } }));
    await send('/channel/commands', use);
    expect(await page(ALICE)).toContain('Guildbook is thinking');
    const address = `/api/webhooks/${APPLICATION_ID}/${received[0]?.token}/messages/@original`;
    expect((await send(address, { content: 'the answer' }, { method: 'PATCH' })).status).toBe(200);
    expect(await page(ALICE)).toContain('the answer');
    expect(await page(ALICE)).not.toContain('Guildbook is thinking');
    clock.advance(900_001);
    expect((await send(address, { content: 'too late' }, { method: 'PATCH' })).status).toBe(401);
    expect(await page(ALICE)).not.toContain('too late');
  });

  test('sends the press of a button that the message has, and of no other', async () => {
    const button = { type: 2, style: 3, label: 'Pay', custom_id: 'pay 1' };
    const asks = { type: 4, data: { components: [{ type: 1, components: [button] }] } };
    const { send, received, page } = await startChannel(({ type }) => ({
      body: type === 2 ? asks : { type: 7, data: { content: 'Paid', components: [] } },
    }));
    await send('/channel/commands', use);
    const messageId = /id="message-(\d+)"/.exec(await page(ALICE))?.[1];
    expect((await send('/channel/buttons', { as: '1', messageId, action: 'pay 2' })).status).toBe(400);
    expect((await send('/channel/buttons', { as: '1', messageId, action: 'pay 1' })).status).toBe(200);
    expect(received.slice(1)).toMatchObject([{ type: 3, data: { custom_id: 'pay 1' } }]);
    expect(await page(ALICE)).toContain('Paid');
    expect(await page(ALICE)).not.toContain('data-action');
  });

  test('says so when the service fails', async () => {
    const { send, page } = await startChannel(() => ({ status: 500, body: {} }));
    await send('/channel/commands', use);
    expect(await page(ALICE)).toContain('The application did not respond');
    expect(await page(BOB)).not.toContain('The application did not respond');
  });

  test('keeps the last sixty messages, and all texts are harmless', async () => {
    const { send, page } = await startChannel(() => ({ body: {} }));
    for (let count = 1; count <= 62; count += 1) {
      await send('/channel/texts', { as: '2', text: `<img src=x> no. ${count}.` });
    }
    const html = await page(ALICE);
    expect(html.match(/<li class="message/g)).toHaveLength(60);
    expect(html).not.toContain('no. 2.');
    expect(html).toContain('&#60;img src=x&#62; no. 62.');
    expect(html).not.toMatch(/<img src=x|<b>bob/);
  });

  test.each([{ origin: 'https://evil.example' }, { 'content-type': 'text/plain' }, { host: 'evil.example' }])(
    'takes nothing from another site: %j',
    async (headers) => {
      const { send, page } = await startChannel(() => ({ body: {} }));
      const answer = await send('/channel/texts', { as: '1', text: 'from elsewhere' }, headers);
      // A browser sets the host itself; where the test cannot, the message is from our own page.
      if (!('host' in headers)) {
        expect(answer.status).toBe(403);
        expect(await page(ALICE)).not.toContain('from elsewhere');
      }
    },
  );
});

describe('the markup of messages', () => {
  const toHtml = (text: string) => markdownToHtml(text, (chatId) => (chatId === '1' ? '<alice>' : undefined));

  test.each([
    ['**bold** and *slanted*', '<strong>bold</strong> and <em>slanted</em>'],
    [String.raw`\*\*not bold\*\*`, '**not bold**'],
    ['a `code **x**` b', 'a <code>code **x**</code> b'],
    [
      '<@1> and <@2>',
      '<span class="mention">@&#60;alice&#62;</span> and <span class="mention">@unknown</span>',
    ],
    [
      '[a](https://x.example/y)',
      '<a href="https://x.example/y" target="_blank" rel="noopener noreferrer">a</a>',
    ],
    ['[a](javascript:alert(1))', '[a](javascript:alert(1))'],
    ['<script>alert(1)</script>', '&#60;script&#62;alert(1)&#60;/script&#62;'],
    ['**<img src=x onerror="a">**', '<strong>&#60;img src=x onerror=&#34;a&#34;&#62;</strong>'],
    ['two\nlines', 'two<br>lines'],
    ['<t:0:R>', '<time datetime="1970-01-01T00:00:00.000Z" data-form="R">1970-01-01 00:00 UTC</time>'],
    ['<t:9999999999999:R>', '9999999999999'],
    ['2 ** 3 * [x', '2 ** 3 * [x'],
  ])('%j', (text, html) => {
    expect(toHtml(text)).toBe(html);
  });

  test('a long text of opened marks takes no long time', () => {
    expect(toHtml('**`[<'.repeat(400))).toContain('&#60;');
  });
});
