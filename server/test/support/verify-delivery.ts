import { Webhook } from 'standardwebhooks';
import type { Delivery } from './webhook-receiver.ts';

/** The body of a delivery, once the `standardwebhooks` package has found its signature right. */
export function verifyDelivery(secret: string, { body, headers }: Delivery): unknown {
  const plain = Object.entries(headers).map(([name, value]) => [name, String(value)]);
  return new Webhook(secret).verify(body, Object.fromEntries(plain));
}
