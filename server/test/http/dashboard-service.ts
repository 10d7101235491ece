import type { DatabaseSync } from 'node:sqlite';
import type { ServiceEnvironment } from '../../src/compose.ts';
import type { DemoPerson } from '../../src/demo/platform/grants.ts';
import type { Guild, Plan } from '../../src/domain/model.ts';
import type { AddRoutes } from '../../src/http/server.ts';
import { startTestPlatform, type TestPlatform } from '../support/chat-platform.ts';
import { createTestClock, type TestClock } from '../support/clock.ts';
import { listenOnFreePort } from '../support/raw-http.ts';
import { openStoreFile } from '../support/read-store.ts';
import { startTestService, type TestService } from '../support/service.ts';

export const GUILD = '1491363316481801678';
export const OTHER_GUILD = '2491363316481801678';
export const PLANLESS_GUILD = '3491363316481801678';
export const UNKNOWN_GUILD = '4491363316481801678';
/** More bits than a double holds, none of them one that counts. */
export const MEMBER_RIGHTS = '1152991873351093249';
export const DAY_MS = 86_400_000;

export interface DashboardService extends TestService {
  address: string;
  platform: TestPlatform;
  openBrowser(): Browser;
  /** A browser in which the person of that name is signed in. */
  signIn(name: string): Promise<SignedInBrowser>;
  /** Sets up a guild that the person owns. It shows in browsers in which they sign in from now on. */
  foundGuild(guildId: string, name: string, options?: { plan?: Plan }): Promise<Guild>;
  /** How many rows a table has. */
  count(table: 'session' | 'sign_in_attempt' | 'api_key' | 'audit_entry'): number;
  db: DatabaseSync;
}

export interface Reply {
  status: number;
  headers: Headers;
  text: string;
  // biome-ignore lint/suspicious/noExplicitAny: tests look into bodies whose shape is what they test
  body: any;
  /** The address of a redirect. */
  location: string | null;
}

export interface Ask {
  method?: string;
  headers?: Record<string, string>;
  json?: unknown;
}

/** A client that keeps cookies and follows no redirects by itself. */
export interface Browser {
  cookies: Map<string, string>;
  go(path: string, ask?: Ask): Promise<Reply>;
  /** Begins a sign-in and returns the platform's address it is sent to. */
  begin(returnTo?: string): Promise<string>;
  /** Picks a person there, and returns the address that leads back. */
  pick(authorizeUrl: string, name: string): Promise<string>;
}

export interface SignedInBrowser extends Browser {
  csrfToken: string;
  /** Sends a change the way our own page does. */
  change(method: string, path: string, json?: unknown): Promise<Reply>;
}

function createPeople(): DemoPerson[] {
  const guild = (guildId: string, owner: boolean, permissions: string) => ({
    guildId,
    name: `Chat name of ${guildId}`,
    owner,
    permissions,
  });
  const person = (username: string, chatId: string, ...guilds: DemoPerson['guilds']) => ({
    username,
    chatId,
    about: username,
    guilds,
  });
  return [
    person(
      'olga',
      '101',
      guild(GUILD, true, '0'),
      guild(OTHER_GUILD, false, MEMBER_RIGHTS),
      guild(UNKNOWN_GUILD, true, '0'),
    ),
    person('adam', '102', guild(GUILD, false, '8')),
    person('mara', '103', guild(GUILD, false, '32')),
    person('memo', '104', guild(GUILD, false, MEMBER_RIGHTS)),
    person('pia', '105', guild(PLANLESS_GUILD, true, '0')),
    person('otto', '106', guild(OTHER_GUILD, true, '0')),
  ];
}

/** The production service and the try-out platform, both on real ports. */
export async function startDashboardService(
  overrides: Partial<
    Pick<ServiceEnvironment, 'chatTimeoutMs' | 'ids' | 'keyUsageFlushMs' | 'pictureTimeoutMs' | 'redisWaitMs'>
  > & {
    addRoutes?: AddRoutes;
    clock?: TestClock;
  } = {},
  settings: Record<string, string> = {},
): Promise<DashboardService> {
  const clock = overrides.clock ?? createTestClock();
  const platform = await startTestPlatform(createPeople(), clock);
  const service = await startTestService({ ...platform.environment, ...settings }, { ...overrides, clock });
  await service.addGuild(GUILD);
  await service.addGuild(OTHER_GUILD);
  await service.addGuild(PLANLESS_GUILD, { plan: 'none' });
  const address = `http://127.0.0.1:${await listenOnFreePort(service.app)}`;
  const db = openStoreFile(service.file, { readOnly: true });
  const openBrowser = () => createBrowser(address, service.fetch);
  return {
    ...service,
    address,
    platform,
    db,
    openBrowser,
    async signIn(name) {
      const browser = openBrowser();
      const back = await browser.pick(await browser.begin(), name);
      const reply = await browser.go(back);
      if (reply.location !== '/dashboard/') {
        throw new Error(`the sign-in led to ${reply.location}`);
      }
      const { csrfToken } = (await browser.go('/dashboard/api/session')).body.data;
      return { ...browser, csrfToken, change: changes(browser, csrfToken, address) };
    },
    foundGuild(guildId, name, options) {
      const person = platform.people.find(({ username }) => username === name);
      person?.guilds.push({ guildId, name: guildId, owner: true, permissions: '0' });
      return service.addGuild(guildId, options);
    },
    count: (table) => Number(db.prepare(`SELECT count(*) AS count FROM ${table}`).get()?.count),
    async stop() {
      db.close();
      await service.stop();
      await platform.close();
    },
  };
}

function changes(browser: Browser, csrfToken: string, origin: string): SignedInBrowser['change'] {
  return (method, path, json) =>
    browser.go(path, { method, json, headers: { origin, 'x-csrf-token': csrfToken } });
}

function createBrowser(address: string, send: TestService['fetch']): Browser {
  const cookies = new Map<string, string>();

  async function go(path: string, { method = 'GET', headers = {}, json }: Ask = {}): Promise<Reply> {
    const cookie = Array.from(cookies, ([name, value]) => `${name}=${value}`).join('; ');
    const {
      status,
      headers: received,
      text,
    } = await send(new URL(path, address), {
      method,
      headers: {
        ...(cookie !== '' && { cookie }),
        ...(json !== undefined && { 'content-type': 'application/json' }),
        ...headers,
      },
      body: json === undefined ? null : JSON.stringify(json),
    });
    for (const line of received.getSetCookie()) {
      keep(cookies, line);
    }
    const isJson = received.get('content-type')?.startsWith('application/json') === true;
    return {
      status,
      headers: received,
      text,
      body: isJson ? JSON.parse(text) : undefined,
      location: received.get('location'),
    };
  }

  return {
    cookies,
    go,
    async begin(returnTo) {
      const query = returnTo === undefined ? '' : `?returnTo=${encodeURIComponent(returnTo)}`;
      const { location } = await go(`/dashboard/api/sign-in${query}`);
      return location ?? '';
    },
    async pick(authorizeUrl, name) {
      const page = await (await fetch(authorizeUrl)).text();
      const value = new RegExp(`value="(\\d+)">(?:(?!</button>)[^])*?${name}`).exec(page)?.[1] ?? '';
      const body = name === 'nobody' ? { decision: 'deny' } : { person: value };
      const form = new URLSearchParams(Object.entries(body));
      const response = await fetch(authorizeUrl, { method: 'POST', body: form, redirect: 'manual' });
      return response.headers.get('location') ?? '';
    },
  };
}

function keep(cookies: Map<string, string>, line: string): void {
  const [pair = ''] = line.split(';');
  const [name = '', value = ''] = pair.split('=');
  if (line.includes('Max-Age=0')) {
    cookies.delete(name);
  } else {
    cookies.set(name, value);
  }
}

/** A key order that is right in every way, to be spoilt by a test. */
export function keyOrder(service: DashboardService, changed: Record<string, unknown> = {}): object {
  const expiresAt = new Date(service.clock.nowMs() + 30 * DAY_MS).toISOString();
  return { name: 'shop bot', scopes: ['guild:read'], expiresAt, ...changed };
}

/** The whole answer about a guild that is not there, or not theirs to see. */
export const NO_GUILD = '{"success":false,"message":"Guild not found","code":"guild_not_found"}';

export const keysPath = (guildId: string): string => `/dashboard/api/guilds/${guildId}/keys`;
