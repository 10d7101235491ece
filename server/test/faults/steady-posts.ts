import { readFileSync } from 'node:fs';
import path from 'node:path';
import { expect } from 'vitest';
import { kindOf, type PlannedPost, type Poster, rowsOf, storeSettings } from '../support/load.ts';
import { untilTrue } from '../support/patience.ts';
import { runCommand } from '../support/process.ts';

const PLAYERS = 40;
const UNDER_WAY_MAX = 400;

export interface SteadyPosts {
  /** The names of all transactions whose post, payment or batch was answered with 200. */
  acknowledged: string[];
  /** How long the slowest answer took since this was last looked at. */
  takeSlowestMs(): number;
  /** The longest time without an acknowledgement since this was last looked at. */
  takeLongestGapMs(): number;
  /** Sends nothing new, repeats what was not acknowledged until it is, and resolves when all of it is. */
  finish(): Promise<void>;
}

export interface SteadyPostsOptions {
  /** Begins the names of the posts, which are also their idempotency keys. */
  prefix?: string;
  /** The kind of each post by its number. Single posts, payments and batches in turn unless given. */
  kind?: (count: number) => Pick<PlannedPost, 'kind'>;
}

/** Sends `perSecond` posts a second to the addresses in turn, without waiting for the answers to earlier ones. */
export function startSteadyPosts(
  addresses: readonly string[],
  poster: Poster,
  perSecond: number,
  { prefix = 'post', kind = kindOf }: SteadyPostsOptions = {},
): SteadyPosts {
  const acknowledged: string[] = [];
  const inDoubt: PlannedPost[] = [];
  const underWay = new Set<Promise<void>>();
  let planned = 0;
  let slowestMs = 0;
  let longestGapMs = 0;
  let acknowledgedMs = performance.now();

  function noteGap(): void {
    longestGapMs = Math.max(longestGapMs, performance.now() - acknowledgedMs);
  }

  async function send(post: PlannedPost): Promise<void> {
    const begunMs = performance.now();
    const isAnswered = await poster.post(addresses[planned % addresses.length] ?? '', post);
    slowestMs = Math.max(slowestMs, performance.now() - begunMs);
    if (!isAnswered) {
      inDoubt.push(post);
      return;
    }
    acknowledged.push(...rowsOf(post));
    noteGap();
    acknowledgedMs = performance.now();
  }

  function sendNext(): void {
    if (underWay.size < UNDER_WAY_MAX) {
      planned += 1;
      const name = `${prefix}-${planned}`;
      const sent = send({
        playerId: `p${planned % PLAYERS}`,
        name,
        amount: 1,
        quantity: 1,
        ...kind(planned),
      });
      underWay.add(sent);
      sent.finally(() => underWay.delete(sent));
    }
  }

  const timer = setInterval(sendNext, 1_000 / perSecond);
  return {
    acknowledged,
    takeSlowestMs() {
      const taken = slowestMs;
      slowestMs = 0;
      return taken;
    },
    takeLongestGapMs() {
      noteGap();
      const taken = longestGapMs;
      longestGapMs = 0;
      return taken;
    },
    async finish() {
      clearInterval(timer);
      await Promise.all(underWay);
      while (inDoubt.length > 0) {
        const count = acknowledged.length;
        // A part at a time: instances refuse most of a burst of thousands, again and again on a busy machine.
        await untilTrue(async () => {
          await Promise.all(inDoubt.splice(0, UNDER_WAY_MAX).map(send));
          return acknowledged.length > count;
        });
      }
    },
  };
}

/** Every acknowledged transaction or record is in the store, once, and nothing else of its kind is. */
export async function expectExactly(
  names: readonly string[],
  {
    cwd,
    databaseUrl,
    stored: kind = 'transactions',
  }: { cwd: string; databaseUrl: string; stored?: 'transactions' | 'discharges' },
): Promise<void> {
  const file = path.join(cwd, `${kind}.ndjson`);
  const exported = await runCommand(['export', kind, '--force', '--out', file], {
    cwd,
    env: storeSettings(databaseUrl),
  });
  expect(exported.status).toBe(0);
  const stored = readFileSync(file, 'utf8')
    .trim()
    .split('\n')
    .map((line) => JSON.parse(line).name);
  expect(stored.sort()).toEqual([...names].sort());
}
