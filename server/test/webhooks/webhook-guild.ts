import { expect } from 'vitest';
import type { ServiceEnvironment } from '../../src/compose.ts';
import type { EnvironmentVariables } from '../../src/config.ts';
import type { TestClock } from '../support/clock.ts';
import { untilTrue } from '../support/patience.ts';
import { type TestService, transactionBody } from '../support/service.ts';
import type { Receiver } from '../support/webhook-receiver.ts';

export const ALLOWED = { WEBHOOK_ALLOWED_NETWORKS: '127.0.0.0/8' };

export type StartWebhookService = (
  environment: EnvironmentVariables,
  overrides: Partial<Omit<ServiceEnvironment, 'clock'>> & { clock: TestClock },
) => Promise<TestService>;

/** A guild of the test's own with a key, and what a test does with them. */
export async function createGuild(service: TestService) {
  const guildId = crypto.randomUUID();
  await service.addGuild(guildId);
  const { value: key } = await service.addKey(guildId);
  const ask = (method: 'GET' | 'POST' | 'PUT' | 'DELETE', url: string, payload?: object) => {
    // Ten requests a second is not the point here.
    service.clock.advance(101);
    return service.send({ method, url, key, ...(payload && { payload }) });
  };
  return {
    guildId,
    key,
    ask,
    async create(receiver: Pick<Receiver, 'url'>, more: object = {}) {
      const reply = await ask('POST', '/guild/webhooks', {
        url: receiver.url,
        kind: 'standard',
        events: ['transaction.posted'],
        ...more,
      });
      expect(reply.text).toContain('"success":true');
      const { webhook, secret } = reply.body.data;
      return { id: webhook.id as string, webhook, secret: secret as string };
    },
    async post(changes: Record<string, unknown> = {}) {
      const order = { method: 'POST', url: '/guild/ledger', payload: transactionBody(changes) } as const;
      const { value } = await service.addKey(guildId, ['guild:write']);
      const reply = await service.send({ ...order, key: value });
      expect(reply.status).toBe(200);
      return String(reply.headers['transaction-id']);
    },
    show: async (id: string) => (await ask('GET', `/guild/webhooks/${id}`)).body.data,
    async untilAttempts(id: string, count: number) {
      await untilTrue(async () => {
        const { attempts } = (await ask('GET', `/guild/webhooks/${id}`)).body.data;
        return attempts.length >= count;
      });
      return (await ask('GET', `/guild/webhooks/${id}`)).body.data;
    },
  };
}
