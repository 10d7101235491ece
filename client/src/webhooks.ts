import { path } from './address.ts';
import type { CallOptions } from './calls.ts';
import { fieldOf, listOf } from './check-shape.ts';
import { type Answer, unexpectedAnswer } from './parse-response.ts';
import type { NewWebhook, PutWebhookBody, ReplayWebhookBody, Webhook, WebhookAttempt } from './schema.ts';
import type { Request } from './send.ts';
import { isWebhook, isWebhookAttempt } from './shapes.ts';

/** Webhooks of the guild. All need the scope `webhooks:manage`. */
export interface WebhookCalls {
  listWebhooks(options?: CallOptions): Promise<Webhook[]>;
  /** The secret is returned only once; it is null for a chat channel. Not repeated when the answer is lost. */
  createWebhook(
    input: NewWebhook,
    options?: CallOptions,
  ): Promise<{ webhook: Webhook; secret: string | null }>;
  /** A webhook with its last attempts, newest first. */
  getWebhook(
    webhookId: string,
    options?: CallOptions,
  ): Promise<{ webhook: Webhook; attempts: WebhookAttempt[] }>;
  /** Changes the given fields and keeps the others. */
  changeWebhook(webhookId: string, changes: PutWebhookBody, options?: CallOptions): Promise<Webhook>;
  deleteWebhook(webhookId: string, options?: CallOptions): Promise<void>;
  /** Delivers a test and returns the attempt. */
  testWebhook(webhookId: string, options?: CallOptions): Promise<WebhookAttempt>;
  /** Delivers one event again, or everything since a time. */
  replayWebhook(webhookId: string, input: ReplayWebhookBody, options?: CallOptions): Promise<void>;
  /** Creates a new secret, which is returned only once. */
  rotateWebhook(webhookId: string, options?: CallOptions): Promise<{ webhook: Webhook; secret: string }>;
}

export function createWebhookCalls({ send }: { send: (request: Request) => Promise<Answer> }): WebhookCalls {
  const call = (method: Request['method'], address: string, input?: object, options: CallOptions = {}) =>
    send({
      method,
      path: address,
      signal: options.signal,
      isUnrepeatable: method === 'POST',
      ...(input !== undefined && { body: JSON.stringify(input) }),
    });
  return {
    listWebhooks: async (options) =>
      dataOf(await call('GET', '/guild/webhooks', undefined, options), 'webhooks', listOf(isWebhook)),
    async createWebhook(input, options) {
      const answer = await call('POST', '/guild/webhooks', input, options);
      return {
        webhook: dataOf(answer, 'webhook', isWebhook),
        secret: dataOf(answer, 'secret', isSecretOrNull),
      };
    },
    async getWebhook(webhookId, options) {
      const answer = await call('GET', path`/guild/webhooks/${webhookId}`, undefined, options);
      return {
        webhook: dataOf(answer, 'webhook', isWebhook),
        attempts: dataOf(answer, 'attempts', listOf(isWebhookAttempt)),
      };
    },
    changeWebhook: async (webhookId, changes, options) =>
      dataOf(await call('PUT', path`/guild/webhooks/${webhookId}`, changes, options), 'webhook', isWebhook),
    async deleteWebhook(webhookId, options) {
      await call('DELETE', path`/guild/webhooks/${webhookId}`, undefined, options);
    },
    testWebhook: async (webhookId, options) =>
      dataOf(
        await call('POST', path`/guild/webhooks/${webhookId}/test`, undefined, options),
        'attempt',
        isWebhookAttempt,
      ),
    async replayWebhook(webhookId, input, options) {
      await call('POST', path`/guild/webhooks/${webhookId}/replay`, input, options);
    },
    async rotateWebhook(webhookId, options) {
      const answer = await call('POST', path`/guild/webhooks/${webhookId}/rotate`, undefined, options);
      return { webhook: dataOf(answer, 'webhook', isWebhook), secret: dataOf(answer, 'secret', isText) };
    },
  };
}

const isText = (value: unknown): value is string => typeof value === 'string';
const isSecretOrNull = (value: unknown): value is string | null => value === null || isText(value);

function dataOf<Shape>(answer: Answer, name: string, isShape: (value: unknown) => value is Shape): Shape {
  const value = fieldOf(fieldOf(answer.body, 'data'), name);
  if (!isShape(value)) {
    throw unexpectedAnswer(answer);
  }
  return value;
}
