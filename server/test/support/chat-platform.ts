import { createServer, type RequestListener } from 'node:http';
import type { AddressInfo } from 'node:net';
import type { DemoGuild, DemoPerson } from '../../src/demo/platform/grants.ts';
import { PICTURE_TEMPLATE } from '../../src/demo/platform/pictures.ts';
import { createDemoListener } from '../../src/demo/platform/platform.ts';
import type { Clock } from '../../src/domain/ports.ts';
import { testIds } from './ids.ts';

export const CLIENT_ID = 'test-client';
export const CLIENT_SECRET = 'test-client-secret-3f9a';
export const CHAT_BOT_TOKEN = 'test-bot-token-71c2';

/** A trouble the platform has: it answers in the listener's stead, or lets the request through by returning false. */
export type Fault = (...exchange: Parameters<RequestListener>) => boolean;

export interface TestPlatform {
  origin: string;
  /** The settings that make a service use it. */
  environment: Record<string, string>;
  people: DemoPerson[];
  /** The guilds that the platform's bot sees; none at first. */
  guilds: DemoGuild[];
  /** Every address that was asked for, in order. */
  asked: string[];
  setFault(fault: Fault | undefined): void;
  /** Lets nobody in any more, as if the machine were gone. */
  close(): Promise<void>;
}

/** The try-out platform on a real port, with a switch for trouble in front of it. */
export async function startTestPlatform(people: DemoPerson[], clock: Clock): Promise<TestPlatform> {
  const guilds: DemoGuild[] = [];
  const listener = createDemoListener({
    people,
    guilds,
    botToken: CHAT_BOT_TOKEN,
    clientId: CLIENT_ID,
    clientSecret: CLIENT_SECRET,
    clock,
    ids: testIds,
  });
  const asked: string[] = [];
  let fault: Fault | undefined;
  const server = createServer((request, response) => {
    asked.push(`${request.method} ${request.url?.split('?')[0]}`);
    if (fault?.(request, response) !== true) {
      listener(request, response);
    }
  });
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
  const origin = `http://127.0.0.1:${(server.address() as AddressInfo).port}`;
  return {
    origin,
    environment: {
      CHAT_CLIENT_ID: CLIENT_ID,
      CHAT_CLIENT_SECRET: CLIENT_SECRET,
      CHAT_AUTHORIZE_URL: `${origin}/oauth2/authorize`,
      CHAT_TOKEN_URL: `${origin}/oauth2/token`,
      CHAT_API_URL: `${origin}/api`,
      CHAT_AVATAR_URL: `${origin}${PICTURE_TEMPLATE}`,
    },
    people,
    guilds,
    asked,
    setFault(next) {
      fault = next;
    },
    close: () =>
      new Promise((resolve) => {
        server.close(() => resolve());
        server.closeAllConnections();
      }),
  };
}

/** Answers requests whose path ends like this with the given text, and lets the others through. */
export function answering(ending: string, status: number, text: string, headers = {}): Fault {
  return (request, response) => {
    if (request.url?.split('?')[0]?.endsWith(ending) !== true) {
      return false;
    }
    response.writeHead(status, { 'content-type': 'application/json', ...headers }).end(text);
    return true;
  };
}

/** Takes requests whose path ends like this and never answers them. */
export function silent(ending: string): Fault {
  return (request) => request.url?.split('?')[0]?.endsWith(ending) === true;
}
