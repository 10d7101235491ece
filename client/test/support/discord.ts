import { createServer, type IncomingMessage } from 'node:http';
import type { AddressInfo } from 'node:net';
import type { ClientOptions } from 'discord.js';
import { onTestFinished } from 'vitest';

const APPLICATION_ID = '100000000000000001';
const USER = { id: '200000000000000001', username: 'keeper', discriminator: '0', avatar: null };
const CHANNEL_ID = '400000000000000001';
const SHARD_ID = 0;
/** Kinds of options, of interactions and of commands, as Discord numbers them. */
const [STRING, NUMBER, COMMAND, CHAT_INPUT] = [3, 10, 2, 1];

type Strategy = NonNullable<NonNullable<ClientOptions['ws']>['buildStrategy']>;
type Manager = Parameters<Strategy>[0];

export interface DiscordStub {
  /** Makes a discord.js client speak to this in place of Discord. */
  options: Partial<ClientOptions>;
  /** The names of the commands that the bot has announced. */
  announced: () => Promise<string[]>;
  /** Somebody uses a command: resolves with the text that the bot replies. */
  use(command: string, options?: Record<string, string | number>, id?: string): Promise<string>;
}

/** Discord as a bot sees it: its HTTP interface on a port of our own, and a gateway that passes events without a socket. */
export async function startDiscord(): Promise<DiscordStub> {
  const { promise: announced, resolve: announce } = Promise.withResolvers<string[]>();
  const replies = new Map<string, (text: string) => void>();
  const server = createServer(async (request, response) => {
    const body = await readBody(request);
    response.setHeader('content-type', 'application/json');
    const path = request.url ?? '';
    if (path.endsWith('/gateway/bot')) {
      const limit = { total: 1, remaining: 1, reset_after: 0, max_concurrency: 1 };
      response.end(JSON.stringify({ url: 'ws://stub', shards: 1, session_start_limit: limit }));
    } else if (path.endsWith('/commands')) {
      announce(body.map(({ name }: { name: string }) => name));
      response.end('[]');
    } else if (path.endsWith('/callback')) {
      response.writeHead(204).end();
    } else {
      const [, interactionToken = ''] = /\/webhooks\/\d+\/([^/]+)\/messages/.exec(path) ?? [];
      replies.get(interactionToken)?.(body.content);
      response.end(JSON.stringify(messageOf(body.content)));
    }
  });
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
  onTestFinished(() => {
    server.closeAllConnections();
    server.close();
  });
  // A server that listens on a port, and not on a pipe, has an address with one.
  const { port } = server.address() as AddressInfo;
  let manager: Manager | undefined;
  let uses = 0;

  return {
    options: {
      rest: { api: `http://127.0.0.1:${port}` },
      ws: {
        buildStrategy(given) {
          manager = given;
          return createStrategy(given);
        },
      },
    },
    announced: () => announced,
    use(command, options = {}, id = `30000000000000000${uses}`) {
      uses += 1;
      const token = `token-${uses}`;
      const { promise, resolve } = Promise.withResolvers<string>();
      replies.set(token, resolve);
      dispatch(manager, 'INTERACTION_CREATE', { id, token, ...interactionOf(command, options) });
      return promise;
    },
  };
}

async function readBody(request: IncomingMessage) {
  const chunks: Buffer[] = [];
  for await (const chunk of request) {
    chunks.push(chunk);
  }
  return chunks.length === 0 ? undefined : JSON.parse(Buffer.concat(chunks).toString());
}

/** A gateway of one shard that is ready as soon as it is asked to connect. */
function createStrategy(manager: Manager): ReturnType<Strategy> {
  return {
    spawn() {},
    connect() {
      const data = { v: 10, user: USER, guilds: [], application: { id: APPLICATION_ID, flags: 0 } };
      emit(manager, 'ready', data);
      dispatch(manager, 'READY', data);
    },
    destroy() {},
    send() {},
    fetchStatus: () => {
      throw new Error('nobody asks for it');
    },
  };
}

function dispatch(manager: Manager | undefined, name: string, data: object): void {
  emit(manager, 'dispatch', { op: 0, s: 1, t: name, d: data });
}

function emit(manager: Manager | undefined, event: 'ready' | 'dispatch', data: object): void {
  // The types of all events of Discord would have to be met in full; the bot uses a few fields of two of them.
  const emitter = manager as unknown as { emit: (event: string, payload: object) => void } | undefined;
  emitter?.emit(event, { data, shardId: SHARD_ID });
}

function interactionOf(command: string, options: Record<string, string | number>): object {
  return {
    application_id: APPLICATION_ID,
    version: 1,
    type: COMMAND,
    channel_id: CHANNEL_ID,
    user: USER,
    locale: 'en-GB',
    entitlements: [],
    authorizing_integration_owners: {},
    data: {
      id: '500000000000000001',
      name: command,
      type: CHAT_INPUT,
      options: Object.entries(options).map(([name, value]) => ({
        name,
        value,
        type: typeof value === 'string' ? STRING : NUMBER,
      })),
    },
  };
}

function messageOf(content: string): object {
  return {
    id: '600000000000000001',
    channel_id: CHANNEL_ID,
    author: USER,
    content,
    timestamp: '2026-01-01T00:00:00.000Z',
    edited_timestamp: null,
    tts: false,
    mention_everyone: false,
    mentions: [],
    mention_roles: [],
    attachments: [],
    embeds: [],
    pinned: false,
    type: 0,
  };
}
