import { type VerifyWebhookInput, verifyWebhook, WebhookError, type WebhookEvent } from '@guildbook/client';
import fc from 'fast-check';
import { Webhook } from 'standardwebhooks';
import { afterAll, beforeAll, describe, expect, expectTypeOf, test } from 'vitest';
import { untilTrue } from '../../server/test/support/patience.ts';
import { type Delivery, startReceiver } from '../../server/test/support/webhook-receiver.ts';
import { type Place, startPlace } from './support/place.ts';
import { transaction } from './support/specimens.ts';

const secretOf = (seed: number) => `whsec_${Buffer.alloc(32, seed).toString('base64')}`;
const SECRET = secretOf(1);
const OTHER = secretOf(2);
const NOW_MS = Date.parse('2026-11-14T20:15:30.999Z');
const NOW_SECONDS = Math.floor(NOW_MS / 1_000);
const BODY =
  '{"type":"webhook.test","timestamp":"2026-11-14T20:15:30.123Z","data":{"message":"é🛡","webhookId":"1"}}';

/** A delivery as the standard's own library signs it. */
function deliveryOf(changes: { body?: string; secrets?: string[]; id?: string; sentAt?: number } = {}) {
  const { body = BODY, secrets = [SECRET], id = 'evt_1', sentAt = NOW_SECONDS } = changes;
  const sign = (secret: string) => new Webhook(secret).sign(id, new Date(sentAt * 1_000), body);
  const headers: Record<string, string> = {
    'webhook-id': id,
    'webhook-timestamp': String(sentAt),
    'webhook-signature': secrets.map(sign).join(' '),
  };
  return { body, headers, secret: SECRET, nowMs: () => NOW_MS };
}

const BELIEVED = 'it was believed';

async function faultOf(input: VerifyWebhookInput): Promise<string> {
  const error: unknown = await verifyWebhook(input).then(
    () => BELIEVED,
    (reason) => reason,
  );
  return error instanceof WebhookError ? error.fault : String(error);
}

describe('deliveries of the service', () => {
  let place: Place;
  beforeAll(async () => {
    place = await startPlace({ WEBHOOK_ALLOWED_NETWORKS: '127.0.0.1' });
  });
  afterAll(() => place.stop());

  const inputOf = ({ body, headers }: Delivery, secret: string) => ({ body, headers, secret });

  test('are verified and typed by what happened', async () => {
    const guildbook = place.connect();
    const receiver = await startReceiver();
    const { secret } = await guildbook.createWebhook({
      url: receiver.url,
      kind: 'standard',
      events: ['transaction.posted', 'balance.below'],
    });
    const { transactionId } = await guildbook.postTransaction(
      transaction({ playerId: 'debtor', name: 'Iron "é🛡', amount: -5, quantity: 1 }),
    );
    await untilTrue(() => receiver.deliveries.length === 2);
    const told: string[] = [];
    for (const delivery of receiver.deliveries) {
      const { id, event } = await verifyWebhook(inputOf(delivery, secret ?? ''));
      expect(id).toBe(delivery.id);
      expect(event).toEqual(delivery.json);
      told.push(describeEvent(event));
    }
    expect(told).toEqual([`debtor: -5 (${transactionId})`, 'debtor has -5, below 0']);
  });

  test('are verified through a rotation, with the old secret, the new one or both', async () => {
    const guildbook = place.connect();
    const receiver = await startReceiver();
    const { webhook, secret } = await guildbook.createWebhook({
      url: receiver.url,
      kind: 'standard',
      events: ['transaction.posted'],
    });
    const rotated = await guildbook.rotateWebhook(webhook.id);
    await guildbook.testWebhook(webhook.id);
    const [delivery] = await receiver.until(1);
    if (delivery === undefined || secret === null) {
      throw new Error('a delivery came, and a webhook has a secret');
    }
    for (const one of [secret, rotated.secret]) {
      expect((await verifyWebhook(inputOf(delivery, one))).event.type).toBe('webhook.test');
    }
    const { body, headers } = delivery;
    expect((await verifyWebhook({ body, headers, secret: [OTHER, rotated.secret] })).event.type).toBe(
      'webhook.test',
    );
    expect(await faultOf({ body, headers, secret: OTHER })).toBe('signature');
  });
});

/** Compiles only while `type` and `truncated` distinguish the members of the union. */
function describeEvent(event: WebhookEvent): string {
  switch (event.type) {
    case 'transaction.posted':
    case 'transaction.reversed':
      return 'truncated' in event.data
        ? event.data.transactionId
        : `${event.data.playerId}: ${event.data.total} (${event.data.transactionId})`;
    case 'balance.below':
      return 'truncated' in event.data
        ? event.data.playerId
        : `${event.data.playerId} has ${event.data.balance}, below ${event.data.balanceBelow}`;
    case 'webhook.test':
      expectTypeOf(event.data.webhookId).toEqualTypeOf<string>();
      return event.data.message;
    default:
      return event.type;
  }
}

describe('a delivery', () => {
  test('is believed in every form that bodies and headers have', async () => {
    const { headers, ...rest } = deliveryOf();
    const bytes = new TextEncoder().encode(BODY);
    const shouted = Object.fromEntries(
      Object.entries(headers).map(([name, value]) => [name.toUpperCase(), value]),
    );
    const event = JSON.parse(BODY);
    for (const body of [BODY, bytes, bytes.buffer, Buffer.from(BODY)]) {
      for (const form of [headers, shouted, new Headers(headers)]) {
        expect(await verifyWebhook({ ...rest, body, headers: form })).toEqual({ id: 'evt_1', event });
      }
    }
  });

  test.each<[string, Partial<VerifyWebhookInput>]>([
    ['another body', { body: `${BODY} ` }],
    ['another secret', { secret: OTHER }],
    ['another id', { headers: { ...deliveryOf().headers, 'webhook-id': 'evt_2' } }],
    ['another time', { headers: { ...deliveryOf().headers, 'webhook-timestamp': String(NOW_SECONDS + 1) } }],
    ['no version', { headers: { ...deliveryOf().headers, 'webhook-signature': 'v2,abc v1' } }],
    [
      'an asymmetric signature',
      {
        headers: {
          ...deliveryOf().headers,
          'webhook-signature': deliveryOf().headers['webhook-signature']?.replace('v1,', 'v1a,'),
        },
      },
    ],
  ])('with %s has no signature that fits', async (_name, changes) => {
    expect(await faultOf({ ...deliveryOf(), ...changes })).toBe('signature');
  });

  test.each(['webhook-id', 'webhook-timestamp', 'webhook-signature'])(
    'without %s is refused',
    async (name) => {
      const { headers, ...rest } = deliveryOf();
      expect(await faultOf({ ...rest, headers: { ...headers, [name]: undefined } })).toBe('headers');
      expect(await faultOf({ ...rest, headers: { ...headers, [name]: ['a', 'b'] } })).toBe('headers');
    },
  );

  test.each(['', 'soon', '-1', '1e9', ' 1794687330', '9'.repeat(16)])(
    'from the time "%s" is refused',
    async (time) => {
      const { headers, ...rest } = deliveryOf();
      expect(await faultOf({ ...rest, headers: { ...headers, 'webhook-timestamp': time } })).toBe('headers');
    },
  );

  test('is believed up to the tolerance from now, before and after', async () => {
    const sentAt = (sentAt: number, more: Partial<VerifyWebhookInput> = {}) =>
      faultOf({ ...deliveryOf({ sentAt: NOW_SECONDS + sentAt }), ...more });
    expect(await Promise.all([-300, 300].map((age) => sentAt(age)))).toEqual([BELIEVED, BELIEVED]);
    expect(await Promise.all([-301, 301].map((age) => sentAt(age)))).toEqual(['timestamp', 'timestamp']);
    expect(await sentAt(-60, { toleranceSeconds: 60 })).toBe(BELIEVED);
    expect(await sentAt(-61, { toleranceSeconds: 60 })).toBe('timestamp');
  });

  test('that is no event is refused, although it is signed', async () => {
    for (const body of ['', 'null', '[]', '{}', '{"type":"a","timestamp":"b","data":null}', '{"type":1}']) {
      expect([body, await faultOf(deliveryOf({ body }))]).toEqual([body, 'body']);
    }
  });

  test('is refused with a TypeError where the secret is none, which is not repeated', async () => {
    for (const secret of ['', 'whsec_', 'whsec_not base64', 'whsec_abc', []]) {
      const error = await verifyWebhook({ ...deliveryOf(), secret }).catch((reason) => reason);
      expect(error).toBeInstanceOf(TypeError);
      expect(String(error)).not.toMatch(/not base64|abc/);
    }
  });

  test('is refused when its signature is written in another way than base64 has', async () => {
    const { headers, ...rest } = deliveryOf();
    const signature = headers['webhook-signature'] ?? '';
    const last = signature.at(-2) ?? '';
    // The two lowest bits of the last letter are no part of the signature.
    const other = String.fromCharCode(last.charCodeAt(0) + 1);
    const written = `${signature.slice(0, -2)}${other}=`;
    expect(atob(written.slice(3))).toBe(atob(signature.slice(3)));
    expect(await faultOf({ ...rest, headers: { ...headers, 'webhook-signature': written } })).toBe(
      'signature',
    );
  });

  test('is judged as the library of the standard judges it', async () => {
    const byte = fc.integer({ min: 0, max: 255 });
    await fc.assert(
      fc.asyncProperty(fc.string(), fc.nat(200), byte, fc.boolean(), async (text, at, flip, isRotated) => {
        const body = JSON.stringify({ type: 'webhook.test', timestamp: '', data: { message: text } });
        const sent = deliveryOf({
          body,
          secrets: isRotated ? [OTHER, SECRET] : [SECRET],
          sentAt: Math.floor(Date.now() / 1_000),
        });
        const bytes = Buffer.from(sent.headers['webhook-signature'] ?? '');
        const index = at % bytes.length;
        bytes[index] = (bytes[index] ?? 0) ^ (flip % 2 === 0 ? 0 : flip & 0x7f);
        const headers = { ...sent.headers, 'webhook-signature': bytes.toString('latin1') };
        const isBelieved = (() => {
          try {
            return new Webhook(SECRET).verify(body, headers) !== undefined;
          } catch {
            return false;
          }
        })();
        const ours = await faultOf({ ...sent, headers, nowMs: Date.now });
        expect(ours === BELIEVED).toBe(isBelieved);
      }),
    );
  });
});
