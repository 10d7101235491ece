import { type ExplainingPoster, kindOf } from '../support/load.ts';

const PLAYERS = 40;
const UNDER_WAY_MAX = 400;

export interface MeasuredPosts {
  /** The reasons of all requests that were not answered with 200. */
  failures: string[];
  /** The durations of the requests answered since this was last called. */
  take(): number[];
  /** From now on requests go to these addresses in turn. */
  sendTo(addresses: readonly string[]): void;
  /** Sends nothing new, and waits for the answers. */
  stop(): Promise<void>;
}

/** Sends posts, payments and batches at a steady rate, without waiting for the answers to earlier ones. */
export function startMeasuredPosts(
  poster: ExplainingPoster,
  perSecond: number,
  first: readonly string[],
  prefix = 'post',
): MeasuredPosts {
  const failures: string[] = [];
  const underWay = new Set<Promise<void>>();
  const startedMs = performance.now();
  let addresses = first;
  const durations: number[] = [];
  let planned = 0;

  async function send(number: number): Promise<void> {
    const sentMs = performance.now();
    const refusal = await poster.refusalOf(addresses[number % addresses.length] ?? '', {
      playerId: `p${number % PLAYERS}`,
      name: `${prefix}-${number}`,
      amount: 1,
      quantity: 1,
      ...kindOf(number),
    });
    durations.push(performance.now() - sentMs);
    if (refusal !== undefined) {
      failures.push(`${prefix}-${number}: ${refusal}`);
    }
  }

  // A timer that fires late is followed by as many posts as it missed.
  const timer = setInterval(() => {
    const due = ((performance.now() - startedMs) / 1_000) * perSecond;
    while (planned < due && underWay.size < UNDER_WAY_MAX) {
      planned += 1;
      const sent = send(planned);
      underWay.add(sent);
      sent.finally(() => underWay.delete(sent));
    }
  }, 1_000 / perSecond);
  return {
    failures,
    take() {
      return durations.splice(0);
    },
    sendTo(given) {
      addresses = given;
    },
    async stop() {
      clearInterval(timer);
      await Promise.all(underWay);
    },
  };
}

/** The time within which 99 % of the requests were answered. */
export function p99(durations: readonly number[]): number {
  return durations.toSorted((one, other) => one - other)[Math.floor(durations.length * 0.99)] ?? 0;
}
