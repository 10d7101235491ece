import type { IncomingMessage, ServerResponse } from 'node:http';
import type { Clock } from '../../../domain/ports.ts';
import type { DemoOptions } from '../grants.ts';
import { APPLICATION_ID, createDemoApplication, type DemoApplication } from './application.ts';
import { REGISTERED_COMMANDS } from './commands.ts';
import { contentOf, readPayload } from './content.ts';
import { messageHtml } from './message-html.ts';
import { createDemoMessages, type DemoMessages } from './messages.ts';
import { channelPage, PAGE_FILES, POLICY } from './page.ts';
import { createPeople, type DemoPeople } from './people.ts';
import { answerRequest } from './requests.ts';
import { createStreams } from './stream.ts';

const BODY_BYTES_MAX = 1024 * 1024;
/** Discord's limits for one webhook. */
const LIMITS = [
  { count: 5, windowMs: 2_000 },
  { count: 30, windowMs: 60_000 },
] as const;

/** The path of the channel's webhook. It is no secret: the channel is on loopback and shows sample data. */
export const CHANNEL_WEBHOOK_PATH = '/api/webhooks/try-out/open-to-all';
export const CHANNEL_PATH = '/channel';
const FOLLOW_UP = new RegExp(
  `^(PATCH|POST) /api/webhooks/${APPLICATION_ID}/([\\w-]+)(/messages/@original)?$`,
);

export interface DemoChannel {
  /** Answers requests to the channel; returns false for any other request. */
  answer(request: IncomingMessage, response: ServerResponse, url: URL): Promise<boolean>;
  application: DemoApplication;
}

type ChannelOptions = Pick<DemoOptions, 'clock' | 'ids' | 'people' | 'guilds' | 'newcomer'>;

/**
 * A chat channel for the demo: accepts messages like Discord's webhooks, lets sample people use commands, keeps the last
 * messages in memory and shows them.
 */
export function createDemoChannel(options: ChannelOptions): DemoChannel {
  const { clock, ids } = options;
  const messages = createDemoMessages(clock);
  const people = createPeople(options);
  const application = createDemoApplication({ clock, ids, messages, guildId: people.guild.guildId });
  const takeWebhook = createWebhook(clock, messages);
  const streams = createStreams(messages, people.nameOf);

  return {
    application,
    async answer(request, response, url) {
      const route = `${request.method} ${url.pathname}`;
      const followUp = FOLLOW_UP.exec(route);
      if (route === `POST ${CHANNEL_WEBHOOK_PATH}`) {
        await takeWebhook(request, response);
      } else if (followUp !== null) {
        const read = await readPayload(request.headers['content-type'] ?? '', await readBody(request));
        const [, method, token = ''] = followUp;
        const status = application.followUp(token, { isNew: method === 'POST', read });
        sendJson(response, status, { id: token });
      } else if (route === `GET ${CHANNEL_PATH}`) {
        sendPage(response, pageFor(url.searchParams.get('as'), { messages, people }));
      } else if (route === 'GET /channel/stream') {
        streams.open(response, url.searchParams.get('as') ?? undefined);
      } else if (request.method === 'GET' && url.pathname.startsWith('/channel/')) {
        return sendFile(response, url, { messages, people });
      } else if (request.method === 'POST' && url.pathname.startsWith('/channel/')) {
        const { status, body } = await answerRequest(request, {
          path: url.pathname,
          readBody: () => readBody(request),
          application,
          messages,
          people,
        });
        sendJson(response, status, body);
      } else {
        return false;
      }
      return true;
    },
  };
}

function createWebhook(clock: Clock, messages: DemoMessages) {
  const takenAtMs: number[] = [];
  return async (request: IncomingMessage, response: ServerResponse): Promise<void> => {
    const nowMs = clock.nowMs();
    const body = await readBody(request);
    const full = LIMITS.find(
      ({ count, windowMs }) => takenAtMs.filter((atMs) => nowMs - atMs < windowMs).length >= count,
    );
    if (full !== undefined) {
      const retryAfter = full.windowMs / 1_000;
      sendJson(response, 429, { message: 'You are being rate limited.', retry_after: retryAfter });
      return;
    }
    takenAtMs.push(nowMs);
    takenAtMs.splice(0, takenAtMs.length - LIMITS[1].count);
    const { payload, files } = await readPayload(request.headers['content-type'] ?? '', body);
    const { id } = messages.add({ ...contentOf(payload, files), state: 'sent' });
    sendJson(response, 200, { id });
  };
}

interface Shown {
  messages: DemoMessages;
  people: DemoPeople;
}

function pageFor(asked: string | null, { messages, people }: Shown): string {
  const viewer = people.callers.find(({ chatId }) => chatId === asked) ?? people.callers[0];
  const items = messages.visibleTo(viewer?.chatId).map((message) => messageHtml(message, people.nameOf));
  return channelPage({ items, people, viewer });
}

async function sendFile(response: ServerResponse, url: URL, { messages, people }: Shown): Promise<boolean> {
  const file = /^\/channel\/files\/(\d+)\/([^/]+)$/.exec(url.pathname);
  const part = PAGE_FILES.get(url.pathname);
  if (file !== null) {
    await sendPicture(response, messages.find(file[1] ?? '')?.files.get(decodeURIComponent(file[2] ?? '')));
  } else if (part !== undefined) {
    response.writeHead(200, {
      'content-type': part.type,
      'cache-control': 'no-cache',
      'x-content-type-options': 'nosniff',
    });
    response.end(part.read());
  } else if (url.pathname === '/channel/commands') {
    sendJson(response, 200, REGISTERED_COMMANDS);
  } else if (url.pathname === '/channel/members') {
    sendJson(response, 200, people.search(url.searchParams.get('text') ?? ''));
  } else {
    return false;
  }
  return true;
}

async function readBody(request: IncomingMessage): Promise<Buffer> {
  const chunks: Buffer[] = [];
  let size = 0;
  for await (const chunk of request) {
    size += chunk.length;
    if (size > BODY_BYTES_MAX) {
      throw new Error('the message is too large');
    }
    chunks.push(chunk);
  }
  return Buffer.concat(chunks);
}

function sendPage(response: ServerResponse, html: string): void {
  response.writeHead(200, {
    'content-type': 'text/html; charset=utf-8',
    'cache-control': 'no-store',
    'content-security-policy': POLICY,
    'x-content-type-options': 'nosniff',
    'referrer-policy': 'no-referrer',
  });
  response.end(html);
}

async function sendPicture(response: ServerResponse, picture: Blob | undefined): Promise<void> {
  if (picture === undefined) {
    sendJson(response, 404, { message: '404: Not Found' });
    return;
  }
  response.writeHead(200, { 'content-type': 'image/png', 'x-content-type-options': 'nosniff' });
  response.end(Buffer.from(await picture.arrayBuffer()));
}

function sendJson(response: ServerResponse, status: number, body: object): void {
  response.writeHead(status, { 'content-type': 'application/json', 'cache-control': 'no-store' });
  response.end(JSON.stringify(body));
}
