import { mkdtempSync, rmSync } from 'node:fs';
import type { IncomingMessage, ServerResponse } from 'node:http';
import path from 'node:path';
import { type InjectOptions, inject } from 'light-my-request';
import { pino } from 'pino';
import { openInSteps } from '../../src/compose/opening.ts';
import {
  assembleService,
  composeService,
  openParts,
  type Service,
  type ServiceEnvironment,
  systemIds,
} from '../../src/compose.ts';
import { type Config, type EnvironmentVariables, readConfig } from '../../src/config.ts';
import { type Guild, type Plan, SCOPES, type Scope } from '../../src/domain/model.ts';
import { type AddRoutes, buildApp } from '../../src/http/server.ts';
import { TESTER } from './change.ts';
import { createTestClock, type TestClock } from './clock.ts';
import { writeEmptyStore } from './empty-store.ts';
import { findMemoryParent } from './memory-folder.ts';
import { COMPILE_CACHE } from './program.ts';
import { reportRequests } from './request-report.ts';

const DAY_MS = 86_400_000;
/** A machine that is busy with other tests is no overload of this service; only the guard's own tests have a limit. */
const NO_LIMIT = 0;
/** Nor is it a chat platform that does not answer; only tests of such a platform wait for a shorter time. */
const CHAT_TIMEOUT_MS = 60_000;

// The threads of a store compile their modules at every start, which takes longer than the rest of the start. They keep
// what they compiled in this folder, as they do when the program starts them.
process.env.NODE_COMPILE_CACHE ??= COMPILE_CACHE;

export interface TestService extends Service {
  clock: TestClock;
  /** The file of the real SQLite store behind it. */
  file: string;
  /** The address of its store, for operations on the store as a whole. */
  databaseUrl: string;
  /** Every line the service logged, as text. */
  logLines: string[];
  addGuild(guildId: string, options?: { plan?: Plan; overdraftAllowed?: boolean }): Promise<Guild>;
  /** Makes a key of a guild, by default with all scopes and 30 days to live. */
  addKey(
    guildId: string,
    scopes?: readonly Scope[],
    lifetimeMs?: number,
  ): Promise<{ keyId: string; value: string }>;
  /** Sends a request to the server as if it had come in, with a key when one is given. */
  send(options: InjectOptions & { key?: string }): Promise<TestReply>;
  /** Sends a request over a real connection, to wherever this service listens. Redirects are not followed. */
  fetch(url: string | URL, options?: RequestInit): Promise<FetchReply>;
  stop(): Promise<void>;
}

export interface TestReply {
  status: number;
  headers: Record<string, unknown>;
  text: string;
  bytes: Buffer;
  // biome-ignore lint/suspicious/noExplicitAny: tests look into bodies whose shape is what they test
  body: any;
}

export interface FetchReply {
  status: number;
  headers: Headers;
  text: string;
}

/** The production service on a real file in a folder of its own, with a clock that the test moves. */
export async function startTestService(
  environment: EnvironmentVariables = {},
  {
    clock = createTestClock(),
    addRoutes,
    ...overrides
  }: Partial<Omit<ServiceEnvironment, 'clock'>> & { clock?: TestClock; addRoutes?: AddRoutes } = {},
): Promise<TestService> {
  const folder = mkdtempSync(path.join(findMemoryParent(), 'guildbook-test-'));
  const file = path.join(folder, 'guildbook.db');
  writeEmptyStore(file);
  const logLines: string[] = [];
  const logger = pino({ level: 'debug', base: null }, { write: (line: string) => logLines.push(line) });
  const compose = addRoutes === undefined ? composeService : composeWith(addRoutes);
  const config = readConfig({ DATABASE_URL: `sqlite:${file}`, ...environment });
  const service = await compose(config, {
    clock,
    ids: systemIds,
    logger,
    eventLoopDelayMaxMs: NO_LIMIT,
    chatTimeoutMs: CHAT_TIMEOUT_MS,
    // Only the tests of sealing need it, and others look at every row.
    sealLookMs: 0,
    onFatal(error) {
      throw error;
    },
    ...overrides,
  });
  const report = reportRequests(logLines);
  return {
    ...service,
    clock,
    file,
    databaseUrl: config.databaseUrl,
    logLines,
    addGuild: (guildId, options = {}) =>
      service.guilds.set({ guildId, name: `Guild ${guildId}`, plan: 'developer', ...options }, TESTER),
    async addKey(guildId, scopes = SCOPES, lifetimeMs = 30 * DAY_MS) {
      const expiresAtMs = clock.nowMs() + lifetimeMs;
      const order = { guildId, name: 'test', scopes, expiresAtMs };
      const { key, value } = await service.keys.create(order, TESTER);
      return { keyId: key.keyId, value };
    },
    async send({ key, headers, ...options }) {
      const all = { ...headers, ...(key === undefined ? {} : { 'x-api-key': key }) };
      const { method = 'GET', url, payload } = options;
      const noteAnswer = report.noteRequest({ method, url: String(url), headers: all, payload });
      const reply = await inject(
        (request: IncomingMessage, response: ServerResponse) => {
          // A server on a socket does the same: what an answer did not wait for of a body is read and thrown away. Otherwise
          // the body's deadline would pass fifteen seconds later, in the middle of another test.
          response.once('finish', () => request.resume());
          service.app.server.emit('request', request, response);
        },
        { ...options, headers: all },
      );
      const { statusCode: status, headers: received, payload: text, rawPayload: bytes } = reply;
      noteAnswer({ status, headers: received, text });
      const isJson = String(received['content-type']).startsWith('application/json') && text !== '';
      return { status, headers: received, text, bytes, body: isJson ? JSON.parse(text) : undefined };
    },
    async fetch(url, options = {}) {
      const { method = 'GET', headers, body: payload } = options;
      const noteAnswer = report.noteRequest({
        method,
        url: String(url),
        headers: Object.fromEntries(new Headers(headers)),
        payload,
      });
      const reply = await fetch(url, { redirect: 'manual', ...options });
      const text = await reply.text();
      noteAnswer({ status: reply.status, headers: Object.fromEntries(reply.headers), text });
      return { status: reply.status, headers: reply.headers, text };
    },
    async stop() {
      report.end();
      await service.close();
      rmSync(folder, { recursive: true, force: true });
    },
  };
}

/** Puts the production service together as `composeService` does, with routes that a test has wrapped. */
function composeWith(addRoutes: AddRoutes) {
  return (config: Config, environment: ServiceEnvironment): Promise<Service> =>
    openInSteps(async (onFailure) => {
      const opened = await openParts(config, environment, onFailure);
      return assembleService(opened, buildApp(opened.appParts, addRoutes));
    });
}

/** A transaction body that is right in every way, to be spoilt by a test. */
export function transactionBody(changes: Record<string, unknown> = {}): Record<string, unknown> {
  return { playerId: '48213977', name: 'Iron Ingot', quantity: 3, amount: 12.5, source: 'shop', ...changes };
}
