import type { DatabaseSync } from 'node:sqlite';
import { ENDPOINTS } from '../../src/http/endpoints.ts';
import { openStoreFile } from '../support/read-store.ts';
import type { TestReply } from '../support/service.ts';
import { type FilledService, GUILD_ID, startFilledService } from './filled-service.ts';

export const BOT_TOKEN = 'tests-0123456789-abcdefghijklmnopqrstuvwxyz';
export const BEARER = { authorization: `Bearer ${BOT_TOKEN}` };

/** The content type of imports. */
export const NDJSON = { 'content-type': 'application/x-ndjson' };

export interface BotAsk {
  headers?: Record<string, string>;
  payload?: object | string | Buffer;
}

export interface BotService extends FilledService {
  /** Sends a request as the operator's bot. */
  bot(method: 'GET' | 'PUT' | 'POST' | 'DELETE', url: string, ask?: BotAsk): Promise<TestReply>;
  /** Sends lines to the import and reads the lines of the answer. */
  importLines(url: string, body: string | Buffer): Promise<ImportLine[]>;
  /** Everything that records are kept in, row by row, the audit log included. */
  snapshot(): string;
}

export interface ImportLine {
  line: number;
  outcome: 'created' | 'updated' | 'unchanged' | 'rejected';
  reason?: string;
}

/** The filled service with the bot's interface switched on. */
export async function startBotService(): Promise<BotService> {
  const service = await startFilledService({ BOT_TOKEN });
  const db = openStoreFile(service.file, { readOnly: true });

  function bot(method: 'GET' | 'PUT' | 'POST' | 'DELETE', url: string, ask: BotAsk = {}): Promise<TestReply> {
    const { headers, payload } = ask;
    return service.send({
      method,
      url,
      headers: { ...BEARER, ...headers },
      ...(payload !== undefined && { payload }),
    });
  }

  return {
    ...service,
    bot,
    async importLines(url, payload) {
      const reply = await bot('POST', url, { payload, headers: NDJSON });
      if (reply.status !== 200) {
        throw new Error(`the import was answered with ${reply.status}: ${reply.text}`);
      }
      return parseLines(reply.text);
    },
    snapshot: () => dump(db),
    async stop() {
      db.close();
      await service.stop();
    },
  };
}

const TABLES = [
  'guild',
  'discharge',
  'transfer',
  'verification',
  'past_user',
  'command',
  'account',
  'ledger_transaction',
  'audit_entry',
];

function dump(db: DatabaseSync): string {
  return JSON.stringify(
    TABLES.map((table) => [table, db.prepare(`SELECT * FROM ${table} ORDER BY 1, 2, 3`).all()]),
  );
}

export function parseLines(text: string): ImportLine[] {
  return text
    .split('\n')
    .filter((line) => line !== '')
    .map((line) => JSON.parse(line));
}

/** One record a line. */
export function toNdjson(records: readonly unknown[]): string {
  return records.map((record) => `${JSON.stringify(record)}\n`).join('');
}

/** Every route of the bot with an address that fits it, from the same list that makes the routes. */
export const BOT_ROUTES = ENDPOINTS.filter(({ access }) => access === 'bot').map(({ method, path }) => ({
  method,
  path,
  url: path
    .replace('{guildId}', GUILD_ID)
    .replace('{kind}', 'discharges')
    .replaceAll(/\{\w+\}/g, 'some-id'),
}));
