import { setTimeout as pause } from 'node:timers/promises';

const LIST_PATH = '/guild/ledger/p1/transactions';
const WORKERS_EACH = 4;
/** After a refusal, so that the refusals do not take the whole machine. */
const PAUSE_MS = 10;
const SECOND_MS = 1_000;

/** A request that was admitted, at some time between these two. */
export interface Admitted {
  address: string;
  sentMs: number;
  answeredMs: number;
}

/** Lists a player's transactions once. Undefined when the request was refused because of the limit. */
export async function listOnce(address: string, key: string): Promise<Admitted | undefined> {
  const sentMs = performance.now();
  const { status } = await fetch(`${address}${LIST_PATH}`, { headers: { 'x-api-key': key } });
  if (status !== 200 && status !== 429) {
    throw new Error(`unexpected answer: ${status}`);
  }
  return status === 200 ? { address, sentMs, answeredMs: performance.now() } : undefined;
}

/** Sends requests with one key to all addresses, as many as possible, until it is stopped. */
export function startHammer(addresses: readonly string[], key: string) {
  const admitted: Admitted[] = [];
  let isOver = false;
  const workers = addresses.flatMap((address) =>
    Array.from({ length: WORKERS_EACH }, async () => {
      while (!isOver) {
        const one = await listOnce(address, key);
        await (one === undefined ? pause(PAUSE_MS) : admitted.push(one));
      }
    }),
  );
  return {
    admitted,
    async stop(): Promise<void> {
      isOver = true;
      await Promise.all(workers);
    },
  };
}

/** The most requests that were certainly admitted within one second: each was sent and answered in it. */
export function mostInASecond(admitted: readonly Admitted[]): number {
  const counts = admitted.map(
    ({ sentMs: startMs }) =>
      admitted.filter(({ sentMs, answeredMs }) => sentMs >= startMs && answeredMs <= startMs + SECOND_MS)
        .length,
  );
  return Math.max(0, ...counts);
}
