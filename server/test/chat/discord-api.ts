import { createServer, type IncomingMessage, type ServerResponse } from 'node:http';
import type { AddressInfo } from 'node:net';
import { assertMessage, type Message } from './discord-limits.ts';
import { APPLICATION_ID } from './fake-discord.ts';

const TOKEN_VALID_MS = 900_000;

export interface Change {
  method: string;
  token: string;
  message: Message & { attachments?: { filename: string }[] };
  /** The bytes of its picture. */
  picture: Buffer | undefined;
  status: number;
}

export interface DiscordApi {
  origin: string;
  environment: { CHAT_API_URL: string };
  /** Every request to change a reply, in order. */
  changes: Change[];
  /** Refuses the next requests with these statuses, one after the other. */
  refuse(...statuses: number[]): void;
  /** Resolves when there are this many changes. */
  until(count: number): Promise<Change[]>;
  close(): Promise<void>;
}

/** Discord's API for changes of replies, with its limits: tokens of 15 minutes, sizes of messages, 429. */
export async function startDiscordApi(nowMs: () => number): Promise<DiscordApi> {
  const changes: Change[] = [];
  const refusals: number[] = [];
  const waiting: { count: number; resolve: (changes: Change[]) => void }[] = [];
  /** Tokens by their first use: a real one is valid from the interaction on. */
  const firstSeen = new Map<string, number>();

  async function take(request: IncomingMessage, response: ServerResponse): Promise<void> {
    const path = new RegExp(`^/api/webhooks/${APPLICATION_ID}/([^/]+)(/messages/@original)?$`).exec(
      request.url ?? '',
    );
    const body = await read(request);
    const token = path?.[1] ?? '';
    const { message, picture } = await parse(request.headers['content-type'] ?? '', body);
    const isKnown = path !== null && (request.method === 'PATCH') === (path[2] !== undefined);
    const seenAtMs = firstSeen.get(token) ?? nowMs();
    firstSeen.set(token, seenAtMs);
    const isExpired = nowMs() - seenAtMs > TOKEN_VALID_MS;
    const status = !isKnown ? 404 : isExpired ? 401 : (refusals.shift() ?? 200);
    if (status === 200) {
      assertMessage(message);
    }
    changes.push({ method: request.method ?? '', token, message, picture, status });
    const said =
      status === 429 ? { message: 'You are being rate limited.', retry_after: 0.05 } : { code: 10_015 };
    response.writeHead(status, { 'content-type': 'application/json' }).end(JSON.stringify(said));
    for (const one of waiting.filter(({ count }) => changes.length >= count)) {
      one.resolve(changes);
    }
  }

  const server = createServer((request, response) => {
    take(request, response).catch((error) => response.writeHead(400).end(String(error)));
  });
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
  const origin = `http://127.0.0.1:${(server.address() as AddressInfo).port}`;
  return {
    origin,
    environment: { CHAT_API_URL: `${origin}/api` },
    changes,
    refuse: (...statuses) => refusals.push(...statuses),
    until: (count) =>
      changes.length >= count
        ? Promise.resolve(changes)
        : new Promise((resolve) => waiting.push({ count, resolve })),
    close: () =>
      new Promise((resolve) => {
        server.close(() => resolve());
        server.closeAllConnections();
      }),
  };
}

async function parse(contentType: string, body: Buffer): Promise<Pick<Change, 'message' | 'picture'>> {
  if (!contentType.startsWith('multipart/form-data')) {
    return { message: JSON.parse(body.toString()), picture: undefined };
  }
  const headers = { 'content-type': contentType };
  const form = await new Response(new Uint8Array(body), { headers }).formData();
  const file = form.get('files[0]');
  return {
    message: JSON.parse(String(form.get('payload_json'))),
    picture: file instanceof Blob ? Buffer.from(await file.arrayBuffer()) : undefined,
  };
}

async function read(request: IncomingMessage): Promise<Buffer> {
  const chunks: Buffer[] = [];
  for await (const chunk of request) {
    chunks.push(chunk);
  }
  return Buffer.concat(chunks);
}
