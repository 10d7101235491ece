import type { DatabaseSync } from 'node:sqlite';
import { afterAll, beforeAll, expect } from 'vitest';
import { systemIds } from '../../src/compose.ts';
import type { EnvironmentVariables } from '../../src/config.ts';
import { createKeyValue } from '../../src/domain/access/key-value.ts';
import type { ErrorCode } from '../../src/domain/errors.ts';
import type { BotCommand, Discharge, Scope, Transfer, Verification } from '../../src/domain/model.ts';
import { changeAt, TESTER } from '../support/change.ts';
import { openStoreFile } from '../support/read-store.ts';
import { startTestService, type TestReply, type TestService, transactionBody } from '../support/service.ts';

const HOUR_MS = 3_600_000;

export const GUILD_ID = '814203957731622912';
export const OTHER_GUILD_ID = '925514068842733023';

export const DISCHARGE: Discharge = {
  id: 'dis_1',
  guildId: GUILD_ID,
  chatId: '302817465920118784',
  playerId: '48213977',
  name: 'Rowan_Ashford',
  reason: 'Completed a full term of service.\nWith honours.',
  date: '2026-03-14',
  type: 'honourable',
  from: '2nd Company',
  signed: 'KestrelVane',
};

export const TRANSFER: Transfer = {
  id: 'trf_1',
  guildId: GUILD_ID,
  playerId: '48213977',
  name: 'Rowan_Ashford',
  date: '2026-05-02T18:22:05.000Z',
  from: '2nd Company',
  to: 'Harbour Watch',
  signed: 'KestrelVane',
};

export const VERIFICATION: Verification = {
  chatId: '302817465920118784',
  playerId: '48213977',
  username: 'Rowan_Ashford',
  pastUsers: [
    { playerId: '31177205', username: 'rowan77' },
    { playerId: '20011223', username: 'Little_Rowan' },
  ],
};

export const COMMANDS: BotCommand[] = [
  {
    category: 'Economy',
    name: 'balance',
    description: 'Shows how much you have.',
    extendedHelp: 'Usage: /balance [member]\nWithout a member it shows your own.',
    preconditions: ['Verified members only', 'Guild only'],
  },
  { category: 'Records', name: 'discharge', description: 'Writes one.', extendedHelp: '', preconditions: [] },
  { category: 'Economy', name: 'atm', description: 'Moves money.', extendedHelp: '', preconditions: [] },
];

export interface FilledService extends TestService {
  /** A key of the guild with every scope. */
  key: string;
  /** The same for the other guild. */
  otherKey: string;
  /** Sends a request a second after the last one, so that no rate limit refuses it. The default key is `key`. */
  ask(options: Ask): Promise<TestReply>;
  /** How many rows posts have left in the store. */
  countStored(): number;
}

/** A request; with `key: undefined` it carries no key at all. */
export type Ask = Omit<Parameters<TestService['send']>[0], 'key'> & { key?: string | undefined };

/** A service with two guilds and one record of each kind in the first. */
export async function startFilledService(
  environment: EnvironmentVariables = {},
  overrides: Parameters<typeof startTestService>[1] = {},
): Promise<FilledService> {
  const service = await startTestService(environment, overrides);
  const guild = await service.addGuild(GUILD_ID);
  await service.addGuild(OTHER_GUILD_ID);
  const change = changeAt(service.clock.nowMs());
  await service.store.discharges.put(guild, [DISCHARGE], change);
  await service.store.transfers.put(guild, [TRANSFER], change);
  await service.store.verifications.put([VERIFICATION], change);
  await service.store.commands.replace(COMMANDS, change);
  const key = (await service.addKey(GUILD_ID)).value;
  const otherKey = (await service.addKey(OTHER_GUILD_ID)).value;
  const db = openStoreFile(service.file, { readOnly: true });
  return {
    ...service,
    key,
    otherKey,
    ask(options) {
      service.clock.advance(1_001);
      const { key: used, ...rest } = { key, ...options };
      return service.send(used === undefined ? rest : { ...rest, key: used });
    },
    countStored: () => countRows(db),
    async stop() {
      db.close();
      await service.stop();
    },
  };
}

export type StartService = () => Promise<FilledService>;

/** One service for all tests of a file. It is there from `beforeAll` on, so only tests and later hooks may read it. */
export interface SharedService {
  readonly service: FilledService;
}

export function shareService(start: StartService): SharedService {
  let service: FilledService;
  beforeAll(async () => {
    service = await start();
  });
  afterAll(() => service.stop());
  return {
    get service() {
      return service;
    },
  };
}

function countRows(db: DatabaseSync): number {
  const tables = ['ledger_transaction', 'account', 'idempotency'];
  const counts = tables.map((table) => db.prepare(`SELECT count(*) AS count FROM ${table}`).get()?.count);
  return counts.reduce<number>((sum, count) => sum + Number(count), 0);
}

export const KEY_FAULTS = [
  'missing',
  'empty',
  'malformed',
  'mistyped',
  'unknown',
  'expired',
  'deleted',
] as const;
export type KeyFault = (typeof KEY_FAULTS)[number];

/** A key of the guild that went wrong in the given way; undefined is no key at all. */
export async function makeFaultyKey(
  service: TestService,
  fault: KeyFault,
  scopes?: readonly Scope[],
): Promise<string | undefined> {
  switch (fault) {
    case 'missing':
      return undefined;
    case 'empty':
      return '';
    case 'malformed':
      return 'not a key';
    case 'mistyped': {
      const { value } = await service.addKey(GUILD_ID, scopes);
      return value.slice(0, -1) + (value.endsWith('0') ? '1' : '0');
    }
    case 'unknown':
      return createKeyValue(systemIds);
    case 'expired': {
      const { value } = await service.addKey(GUILD_ID, scopes, HOUR_MS);
      // At the very moment of its expiry a key has expired.
      service.clock.advance(HOUR_MS);
      return value;
    }
    case 'deleted': {
      const { keyId, value } = await service.addKey(GUILD_ID, scopes);
      await service.keys.delete(keyId, TESTER);
      return value;
    }
  }
}

export interface EndpointCase {
  name: string;
  method: 'GET' | 'POST';
  url: string;
  payload?: object;
  scope: Scope | undefined;
  /** Its errors carry no `success`. */
  isBare: boolean;
  successText: string;
}

/** A request to each endpoint that succeeds with the right key, and its whole answer. */
export const ENDPOINT_CASES: readonly EndpointCase[] = [
  {
    name: 'get discharge',
    method: 'GET',
    url: '/guild/discharges/dis_1',
    scope: 'guild:read',
    isBare: false,
    successText:
      '{"success":true,"data":{"id":"dis_1","guildId":"814203957731622912","chatId":"302817465920118784",' +
      '"playerId":"48213977","name":"Rowan_Ashford",' +
      '"reason":"Completed a full term of service.\\nWith honours.","date":"2026-03-14","type":"honourable",' +
      '"from":"2nd Company","signed":"KestrelVane"}}',
  },
  {
    name: 'get transfer',
    method: 'GET',
    url: '/guild/transfers/trf_1',
    scope: 'guild:read',
    isBare: true,
    successText:
      '{"id":"trf_1","guildId":"814203957731622912","playerId":"48213977","name":"Rowan_Ashford",' +
      '"date":"2026-05-02T18:22:05.000Z","from":"2nd Company","to":"Harbour Watch","signed":"KestrelVane"}',
  },
  {
    name: 'get verification',
    method: 'GET',
    url: '/users/302817465920118784',
    scope: 'users:read',
    isBare: false,
    successText:
      '{"success":true,"data":{"chatId":"302817465920118784","playerId":"48213977","username":"Rowan_Ashford",' +
      '"pastUsers":[{"playerId":"31177205","username":"rowan77"},' +
      '{"playerId":"20011223","username":"Little_Rowan"}]}}',
  },
  {
    name: 'list commands',
    method: 'GET',
    url: '/commands',
    scope: undefined,
    isBare: false,
    successText:
      '{"success":true,"data":[{"category":"Economy","name":"balance","description":"Shows how much you have.",' +
      '"extendedHelp":"Usage: /balance [member]\\nWithout a member it shows your own.",' +
      '"preconditions":["Verified members only","Guild only"]},' +
      '{"category":"Records","name":"discharge","description":"Writes one.","extendedHelp":"","preconditions":[]},' +
      '{"category":"Economy","name":"atm","description":"Moves money.","extendedHelp":"","preconditions":[]}]}',
  },
  {
    name: 'post transaction',
    method: 'POST',
    url: '/guild/ledger',
    payload: transactionBody(),
    scope: 'guild:write',
    isBare: false,
    successText: '{"success":true,"message":"Transaction Posted (deposit)","type":"deposit"}',
  },
  {
    name: 'list transactions',
    method: 'GET',
    url: '/guild/ledger/nobody/transactions',
    scope: 'guild:read',
    isBare: false,
    successText:
      '{"success":true,"data":{"playerId":"nobody","transactions":[]},' +
      '"pagination":{"page":1,"limit":20,"total":0,"totalPages":0}}',
  },
];

/** An error's whole body: with `success`, or bare where the interface leaves it out. */
export function errorText(
  message: string,
  { isBare = false, code }: { isBare?: boolean; code?: ErrorCode } = {},
): string {
  const end = code === undefined ? '' : `,"code":"${code}"`;
  return `{${isBare ? '' : '"success":false,'}"message":"${message}"${end}}`;
}

/** Bad input carries this word wherever it can, and no answer may carry it back. */
export const MARK = 'zqxjw';

/** Checks a refusal as a whole: status, exact body, JSON, a request id, and nothing of what was sent. */
export function expectRefusal(
  reply: { status: number; headers: Record<string, unknown>; text: string },
  status: number,
  text: string | RegExp,
): void {
  const expectedText = typeof text === 'string' ? text : expect.stringMatching(text);
  expect({ status: reply.status, text: reply.text }).toEqual({ status, text: expectedText });
  expect(reply.headers['content-type']).toBe('application/json; charset=utf-8');
  expect(reply.headers['x-request-id']).toMatch(/^[\w-]{8}-[0-9a-z]+$/);
  expect(JSON.stringify(reply.headers) + reply.text).not.toContain(MARK);
}
