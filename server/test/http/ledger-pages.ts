import type { TSchema } from 'typebox';
import { expect } from 'vitest';
import { createValidate } from '../../src/wire/validation.ts';
import { type Browser, type DashboardService, GUILD, type Reply } from './dashboard-service.ts';

export const guildPath = (rest: string, guildId = GUILD): string => `/dashboard/api/guilds/${guildId}${rest}`;
export const playerPath = (playerId: string, rest = ''): string =>
  guildPath(`/players/${encodeURIComponent(playerId)}${rest}`);

export interface Post {
  playerId?: string;
  name?: string;
  quantity?: number;
  amount?: number;
  source?: string;
}

export interface Poster {
  keyId: string;
  key: string;
  /** Posts through the interface, and fails the test when that is refused. */
  post(body?: Post): Promise<string>;
}

/** A key of a guild, and posts with it. Its limit of ten a second is waited out by moving the clock. */
export async function createPoster(service: DashboardService, guildId = GUILD): Promise<Poster> {
  const { keyId, value: key } = await service.addKey(guildId);
  return {
    keyId,
    key,
    async post(body = {}) {
      service.clock.advance(200);
      const payload = {
        playerId: '48213977',
        name: 'Iron Ingot',
        quantity: 1,
        amount: 1,
        source: 'shop',
        ...body,
      };
      const reply = await service.send({ method: 'POST', url: '/guild/ledger', key, payload });
      expect(reply.text).toContain('"success":true');
      return String(reply.headers['transaction-id']);
    },
  };
}

/** Reads a page's data, which must be what its wire schema says, to the last field. */
export async function readData(browser: Browser, path: string, schema: TSchema): Promise<Reply['body']> {
  const reply = await browser.go(path);
  expect(reply.text).toContain('"success":true');
  expect(reply.status).toBe(200);
  expect(reply.headers.get('cache-control')).toBe('no-store');
  expect(createValidate(schema)(structuredClone(reply.body))).toBeUndefined();
  return reply.body;
}
