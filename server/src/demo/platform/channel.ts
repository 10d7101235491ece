import type { IncomingMessage, ServerResponse } from 'node:http';
import type { Clock } from '../../domain/ports.ts';
import { channelPage, channelPolicy, type DemoEmbed, type DemoMessage } from './channel-page.ts';

const MESSAGES_MAX = 50;
const BODY_BYTES_MAX = 1024 * 1024;
/** Discord's limits for one webhook. */
const LIMITS = [
  { count: 5, windowMs: 2_000 },
  { count: 30, windowMs: 60_000 },
] as const;

/** The path of the channel's webhook. It is no secret: the channel is on loopback and shows sample data. */
export const CHANNEL_WEBHOOK_PATH = '/api/webhooks/try-out/open-to-all';
export const CHANNEL_PATH = '/channel';

/** Answers requests to the channel; returns false for any other request. */
export type AnswerChannel = (
  request: IncomingMessage,
  response: ServerResponse,
  url: URL,
) => Promise<boolean>;

/**
 * A chat channel for the demo: accepts messages like Discord's webhooks, keeps the last ones in memory and shows
 * them.
 */
export function createDemoChannel(clock: Clock): AnswerChannel {
  const messages: DemoMessage[] = [];
  const takenAtMs: number[] = [];

  async function take(request: IncomingMessage, response: ServerResponse): Promise<void> {
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
    messages.push({ atMs: nowMs, ...(await readMessage(request.headers['content-type'] ?? '', body)) });
    messages.splice(0, messages.length - MESSAGES_MAX);
    sendJson(response, 200, { id: String(nowMs) });
  }

  return async (request, response, url) => {
    const route = `${request.method} ${url.pathname}`;
    const file = /^GET \/channel\/files\/(\d+)\/([^/]+)$/.exec(route);
    if (route === `POST ${CHANNEL_WEBHOOK_PATH}`) {
      await take(request, response);
    } else if (route === `GET ${CHANNEL_PATH}`) {
      sendPage(response, channelPage(messages));
    } else if (file !== null) {
      const found = messages.find(({ atMs }) => atMs === Number(file[1]))?.files.get(file[2] ?? '');
      await sendPicture(response, found);
    } else {
      return false;
    }
    return true;
  };
}

/** JSON, or a form with pictures. */
async function readMessage(contentType: string, body: Buffer): Promise<Omit<DemoMessage, 'atMs'>> {
  if (!contentType.startsWith('multipart/form-data')) {
    return { embeds: embedsOf(body.toString()), files: new Map() };
  }
  const form = await new Response(new Uint8Array(body), {
    headers: { 'content-type': contentType },
  }).formData();
  const files = Array.from(form.values()).filter((value) => typeof value !== 'string');
  return {
    embeds: embedsOf(String(form.get('payload_json') ?? '{}')),
    files: new Map(files.map((file) => [file.name, file])),
  };
}

function embedsOf(text: string): DemoEmbed[] {
  const { embeds }: { embeds?: DemoEmbed[] } = JSON.parse(text);
  return Array.isArray(embeds) ? embeds.slice(0, 10) : [];
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
    'content-security-policy': channelPolicy(),
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
