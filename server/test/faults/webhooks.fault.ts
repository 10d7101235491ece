import { describe, expect, it } from 'vitest';
import { createPostgresServer } from '../postgres/server.ts';
import { createFolder } from '../support/folder.ts';
import { createPosterOn, storeSettings } from '../support/load.ts';
import { untilTrue } from '../support/patience.ts';
import { endNow, type ServerProcess, startServer } from '../support/process.ts';
import { verifyDelivery } from '../support/verify-delivery.ts';
import { type Receiver, startReceiver } from '../support/webhook-receiver.ts';

const POSTS = 50_000;
const WORKERS = 64;
const KEYS = 300;
/** Only a hang exceeds it: after a kill the lease runs out first, and deliveries go out one after the other. */
const DELIVERED_WITHIN_MS = 30 * 60_000;

describe('two instances, each killed once under posts', () => {
  it(`deliver ${POSTS} transactions in order, and repeat only what was under way, under the same ids`, {
    timeout: DELIVERED_WITHIN_MS + 10 * 60_000,
  }, async () => {
    const server = await createPostgresServer({});
    try {
      const databaseUrl = server.url('postgres');
      const poster = await createPosterOn(databaseUrl, KEYS);
      const env = { ...storeSettings(databaseUrl), WEBHOOK_ALLOWED_NETWORKS: '127.0.0.1' };
      const cwd = createFolder();
      const start = () => startServer({ cwd, env });
      const instances: ServerProcess[] = await Promise.all([start(), start()]);
      let secret = '';
      let verified = 0;
      // On arrival, as a receiver does: the package refuses signatures that are older than five minutes.
      const receiver = await startReceiver((response, delivery) => {
        expect(verifyDelivery(secret, delivery)).toEqual(delivery.json);
        verified += 1;
        response.writeHead(204).end();
      });
      secret = await createEndpoint(instances[0]?.address ?? '', poster.keys[0] ?? '', receiver.url);

      let acknowledged = 0;
      const replace = async (place: number) => {
        const old = instances[place];
        if (old !== undefined) await endNow(old.child);
        instances[place] = await start();
      };
      async function work(worker: number): Promise<void> {
        for (let number = worker; number < POSTS; number += WORKERS) {
          const planned = { playerId: `p${number % 97}`, name: `post-${number}`, amount: 1, quantity: 1 };
          // A killed instance leaves posts in doubt, which are repeated under their keys.
          await untilTrue(() => poster.post(instances[number % 2]?.address ?? '', planned));
          acknowledged += 1;
        }
      }
      const posting = Promise.all(Array.from({ length: WORKERS }, (_, worker) => work(worker)));
      const seen = (count: number) =>
        untilTrue(() => receiver.deliveries.length >= count, DELIVERED_WITHIN_MS);
      await seen(POSTS / 5);
      await replace(0);
      await seen(POSTS / 2);
      await replace(1);
      await posting;
      expect(acknowledged).toBe(POSTS);
      await untilTrue(() => receiver.deliveries.at(-1)?.json.data.number === POSTS, DELIVERED_WITHIN_MS);
      expect(verified).toBe(receiver.deliveries.length);
      expectInOrder(receiver);
      await Promise.all(instances.map(({ child }) => endNow(child)));
    } finally {
      await server.remove();
    }
  });
});

async function createEndpoint(address: string, key: string, url: string): Promise<string> {
  const reply = await fetch(`${address}/guild/webhooks`, {
    method: 'POST',
    headers: { 'x-api-key': key, 'content-type': 'application/json' },
    body: JSON.stringify({ url, kind: 'standard', events: ['transaction.posted'] }),
  });
  const text = await reply.text();
  expect(text).toContain('"success":true');
  return JSON.parse(text).data.secret;
}

/** Numbers rise one by one, except that they go back at most once for each kill, over what had been delivered a moment before. */
function expectInOrder({ deliveries }: Receiver): void {
  const numbers = deliveries.map(({ json }) => Number(json.data.number));
  const steps = numbers.slice(1).map((number, index) => number - (numbers[index] ?? 0));
  const back = steps.filter((step) => step !== 1);
  expect(numbers[0]).toBe(1);
  expect(numbers.at(-1)).toBe(POSTS);
  expect(back.every((step) => step <= 0)).toBe(true);
  expect(back.length).toBeLessThanOrEqual(2);
  const idOf = new Map<number, string>();
  for (const { id, json } of deliveries) {
    expect(idOf.get(json.data.number) ?? id).toBe(id);
    idOf.set(json.data.number, id);
  }
  expect([...idOf.keys()].sort((one, other) => one - other)).toEqual(
    Array.from({ length: POSTS }, (_, index) => index + 1),
  );
  console.log(
    `${deliveries.length - POSTS} of ${deliveries.length} deliveries were repeats; steps back: ${back}`,
  );
}
