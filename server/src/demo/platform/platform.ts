import type { IncomingMessage, RequestListener, Server, ServerResponse } from 'node:http';
import type { AddressInfo } from 'node:net';
import { isLoopbackUrl } from '../../chat-platform/loopback.ts';
import { http } from '../../node-http.ts';
import { APPLICATION_ID } from './channel/application.ts';
import {
  CHANNEL_PATH,
  CHANNEL_WEBHOOK_PATH,
  createDemoChannel,
  type DemoChannel,
} from './channel/channel.ts';
import { type ConsentRequest, consentPage, consentPolicy } from './consent.ts';
import { createDemoGrants, type DemoGrants, type DemoOptions } from './grants.ts';
import { answerBot, BOT_PATH } from './guild-bot.ts';
import { drawPicture, PICTURE_PATH, PICTURE_TEMPLATE } from './pictures.ts';

const BODY_BYTES_MAX = 16 * 1024;
const MEMBER_PATH = /^\/api\/users\/@me\/guilds\/([^/]+)\/member$/;

export interface DemoPlatform {
  authorizeUrl: string;
  tokenUrl: string;
  apiUrl: string;
  /** The address of a picture, with `{kind}`, `{id}` and `{hash}`. */
  avatarUrl: string;
  /** The address of the channel's webhook, and the page that shows the channel. */
  webhookUrl: string;
  channelUrl: string;
  /** The application whose commands work in the channel. */
  applicationId: string;
  publicKey: string;
  /** Sets the address of the service, where the application's interactions are sent to. */
  connect(address: string): void;
  close(): Promise<void>;
}

/**
 * The demo's chat platform: a real OAuth server over HTTP on a loopback port of its own, where people sign in by
 * picking a sample person. Only `guildbook demo` starts it; the service knows only its addresses.
 */
export async function startDemoPlatform(options: DemoOptions & { port: number }): Promise<DemoPlatform> {
  const channel = createDemoChannel(options);
  const server = http.createServer(createDemoListener(options, channel));
  // The same port as last time if it is free, so that saved addresses of the channel still work.
  await listenOn(server, options.port).catch(() => listenOn(server, 0));
  // A server that listens on a port has an `AddressInfo`.
  const origin = `http://127.0.0.1:${(server.address() as AddressInfo).port}`;
  return {
    authorizeUrl: `${origin}/oauth2/authorize`,
    tokenUrl: `${origin}/oauth2/token`,
    apiUrl: `${origin}/api`,
    avatarUrl: `${origin}${PICTURE_TEMPLATE}`,
    webhookUrl: `${origin}${CHANNEL_WEBHOOK_PATH}`,
    channelUrl: `${origin}${CHANNEL_PATH}`,
    applicationId: APPLICATION_ID,
    publicKey: channel.application.publicKey,
    connect: (address) => channel.application.deliverTo(`${address}/chat/interactions`),
    close: () =>
      new Promise((resolve) => {
        server.close(() => resolve());
        server.closeAllConnections();
      }),
  };
}

function listenOn(server: Server, port: number): Promise<void> {
  return new Promise((resolve, reject) => {
    server.once('error', reject);
    server.listen(port, '127.0.0.1', () => {
      server.off('error', reject);
      resolve();
    });
  });
}

/** The platform's request handler, without a port. */
export function createDemoListener(
  options: DemoOptions,
  channel: DemoChannel = createDemoChannel(options),
): RequestListener {
  const grants = createDemoGrants(options);
  async function answerAny(request: IncomingMessage, response: ServerResponse): Promise<void> {
    const url = new URL(request.url ?? '/', 'http://localhost');
    if (!(await channel.answer(request, response, url))) {
      await answer(request, response, { url, options, grants });
    }
  }
  return (request, response) => {
    answerAny(request, response).catch(() => sendJson(response, 500, { message: 'failed' }));
  };
}

async function answer(
  request: IncomingMessage,
  response: ServerResponse,
  { url, options, grants }: { url: URL; options: DemoOptions; grants: DemoGrants },
): Promise<void> {
  const member = MEMBER_PATH.exec(url.pathname);
  if (request.method === 'GET' && member !== null) {
    return sendMember(response, grants, request.headers.authorization, decodeURIComponent(member[1] ?? ''));
  }
  const picture = PICTURE_PATH.exec(url.pathname);
  if (request.method === 'GET' && picture !== null) {
    response.writeHead(200, { 'content-type': 'image/png' }).end(drawPicture(picture[3] ?? ''));
    return;
  }
  const asked = BOT_PATH.exec(url.pathname);
  if (request.method === 'GET' && asked !== null) {
    const { status, body } = answerBot(options, request.headers.authorization, {
      asked,
      query: url.searchParams,
    });
    return sendJson(response, status, body);
  }
  switch (`${request.method} ${url.pathname}`) {
    case 'GET /oauth2/authorize':
      return showConsent(response, options, url.searchParams);
    case 'POST /oauth2/authorize':
      return decide(response, { options, grants, query: url.searchParams, form: await readForm(request) });
    case 'POST /oauth2/token':
      return sendToken(response, grants, await readForm(request));
    case 'GET /api/users/@me':
      return sendPerson(response, grants, request.headers.authorization, 'user');
    case 'GET /api/users/@me/guilds':
      return sendPerson(response, grants, request.headers.authorization, 'guilds');
    default:
      return sendJson(response, 404, { message: '404: Not Found' });
  }
}

/** A wrong request is shown to the person and never redirected: its address may not be ours. */
function readRequest(options: DemoOptions, query: URLSearchParams): ConsentRequest | undefined {
  const redirectUri = query.get('redirect_uri') ?? '';
  const codeChallenge = query.get('code_challenge') ?? '';
  const isRight =
    query.get('response_type') === 'code' &&
    query.get('client_id') === options.clientId &&
    query.get('code_challenge_method') === 'S256' &&
    /^[A-Za-z0-9_-]{43}$/.test(codeChallenge) &&
    isLoopbackUrl(redirectUri) &&
    new URL(redirectUri).pathname === '/dashboard/api/callback';
  return isRight ? { redirectUri, codeChallenge, state: query.get('state') ?? '' } : undefined;
}

function showConsent(response: ServerResponse, options: DemoOptions, query: URLSearchParams): void {
  const asked = readRequest(options, query);
  if (asked === undefined) {
    sendJson(response, 400, { error: 'invalid_request' });
    return;
  }
  response.writeHead(200, {
    'content-type': 'text/html; charset=utf-8',
    'cache-control': 'no-store',
    'content-security-policy': consentPolicy(asked),
    'x-content-type-options': 'nosniff',
    'referrer-policy': 'no-referrer',
  });
  response.end(consentPage(options.people));
}

function decide(
  response: ServerResponse,
  asked: { options: DemoOptions; grants: DemoGrants; query: URLSearchParams; form: URLSearchParams },
): void {
  const request = readRequest(asked.options, asked.query);
  const person = asked.options.people.find(({ chatId }) => chatId === asked.form.get('person'));
  const isDenied = asked.form.get('decision') === 'deny';
  if (request === undefined || (person === undefined && !isDenied)) {
    sendJson(response, 400, { error: 'invalid_request' });
    return;
  }
  const back = new URL(request.redirectUri);
  back.searchParams.set('state', request.state);
  if (person === undefined) {
    back.searchParams.set('error', 'access_denied');
  } else {
    back.searchParams.set('code', asked.grants.issueCode(person.chatId, request));
  }
  response.writeHead(303, { location: back.href, 'cache-control': 'no-store' }).end();
}

function sendToken(response: ServerResponse, grants: DemoGrants, form: URLSearchParams): void {
  const answered = grants.answerTokenRequest(form);
  sendJson(response, answered.status, answered.body);
}

function sendPerson(
  response: ServerResponse,
  grants: DemoGrants,
  authorization: string | undefined,
  part: 'user' | 'guilds',
): void {
  const person = grants.personOf(/^Bearer (\S+)$/.exec(authorization ?? '')?.[1]);
  if (person === undefined) {
    sendJson(response, 401, { message: '401: Unauthorized', code: 0 });
    return;
  }
  const { chatId, username, avatar = null, guilds } = person;
  const user = { id: chatId, username, global_name: username, avatar };
  const list = guilds.map(({ guildId, roles: _roles, icon = null, ...guild }) => ({
    id: guildId,
    icon,
    ...guild,
  }));
  sendJson(response, 200, part === 'user' ? user : list);
}

function sendMember(
  response: ServerResponse,
  grants: DemoGrants,
  authorization: string | undefined,
  guildId: string,
): void {
  const person = grants.personOf(/^Bearer (\S+)$/.exec(authorization ?? '')?.[1]);
  if (person === undefined) {
    sendJson(response, 401, { message: '401: Unauthorized', code: 0 });
    return;
  }
  const guild = person.guilds.find((one) => one.guildId === guildId);
  if (guild === undefined) {
    sendJson(response, 404, { message: 'Unknown Guild', code: 10_004 });
    return;
  }
  sendJson(response, 200, { user: { id: person.chatId }, roles: guild.roles ?? [] });
}

async function readForm(request: IncomingMessage): Promise<URLSearchParams> {
  const chunks: Buffer[] = [];
  let size = 0;
  for await (const chunk of request) {
    size += chunk.length;
    if (size > BODY_BYTES_MAX) {
      throw new Error('the form is too large');
    }
    chunks.push(chunk);
  }
  return new URLSearchParams(Buffer.concat(chunks).toString());
}

function sendJson(response: ServerResponse, status: number, body: object): void {
  response.writeHead(status, { 'content-type': 'application/json', 'cache-control': 'no-store' });
  response.end(JSON.stringify(body));
}
