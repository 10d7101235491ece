import { mkdtempSync, rmSync } from 'node:fs';
import type { IncomingMessage, ServerResponse } from 'node:http';
import { tmpdir } from 'node:os';
import path from 'node:path';
import { type InjectOptions, inject } from 'light-my-request';
import { pino } from 'pino';
import { composeService, type Service, type Surroundings, systemIds } from '../../src/compose.ts';
import { type Environment, readConfig } from '../../src/config.ts';
import { type Guild, type Plan, SCOPES, type Scope } from '../../src/domain/model.ts';
import { TESTER } from './change.ts';
import { createTestClock, type TestClock } from './clock.ts';

const DAY_MS = 86_400_000;
/** A machine that is busy with other tests is no overload of this service; only the guard's own tests have a limit. */
const NO_LIMIT = 0;

export interface TestService extends Service {
  clock: TestClock;
  /** The file of the real SQLite store behind it. */
  file: string;
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
  stop(): Promise<void>;
}

export interface TestReply {
  status: number;
  headers: Record<string, unknown>;
  text: string;
  // biome-ignore lint/suspicious/noExplicitAny: tests look into bodies whose shape is what they test
  body: any;
}

/** The production service on a real file in a folder of its own, with a clock that the test moves. */
export async function startTestService(
  environment: Environment = {},
  {
    clock = createTestClock(),
    ...surroundings
  }: Partial<Omit<Surroundings, 'clock'>> & { clock?: TestClock } = {},
): Promise<TestService> {
  const folder = mkdtempSync(path.join(tmpdir(), 'guildbook-test-'));
  const file = path.join(folder, 'guildbook.db');
  const logLines: string[] = [];
  const logger = pino({ level: 'debug' }, { write: (line: string) => logLines.push(line) });
  const service = await composeService(readConfig({ DATABASE_URL: `sqlite:${file}`, ...environment }), {
    clock,
    ids: systemIds,
    logger,
    eventLoopDelayMaxMs: NO_LIMIT,
    onFatal(error) {
      throw error;
    },
    ...surroundings,
  });
  await service.app.ready();
  return {
    ...service,
    clock,
    file,
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
      const reply = await inject(
        (request: IncomingMessage, response: ServerResponse) =>
          service.app.server.emit('request', request, response),
        { ...options, headers: all },
      );
      const isJson = String(reply.headers['content-type']).startsWith('application/json');
      return {
        status: reply.statusCode,
        headers: reply.headers,
        text: reply.payload,
        body: isJson && reply.payload !== '' ? JSON.parse(reply.payload) : undefined,
      };
    },
    async stop() {
      await service.close();
      rmSync(folder, { recursive: true, force: true });
    },
  };
}

/** A transaction body that is right in every way, to be spoilt by a test. */
export function transactionBody(changes: Record<string, unknown> = {}): Record<string, unknown> {
  return { playerId: '48213977', name: 'Iron Ingot', quantity: 3, amount: 12.5, source: 'shop', ...changes };
}
