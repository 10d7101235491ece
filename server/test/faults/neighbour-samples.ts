import { setTimeout as pause } from 'node:timers/promises';
import { untilTrue } from '../support/patience.ts';
import { transactionBody } from '../support/service.ts';
import type { Ask } from './load-client.ts';
import { GOOD_GUILD, type Place, signInId } from './neighbour-place.ts';

export const OPERATIONS = ['post', 'list', 'sign-in', 'live page', 'export', 'webhook'] as const;
export type Operation = (typeof OPERATIONS)[number];
/** How long each operation took, in milliseconds. */
export type Samples = Record<Operation, number[]>;

/** An endpoint gets its events one after the other: at a higher rate they would queue on a slow machine. */
const POST_EVERY_MS = 100;
const LIST_EVERY_MS = 50;
const SIGN_IN_EVERY_MS = 150;
const EXPORT_EVERY_MS = 150;

export const noSamples = (): Samples => ({
  post: [],
  list: [],
  'sign-in': [],
  'live page': [],
  export: [],
  webhook: [],
});

/**
 * Does what a guild does all day, for a time, and adds how long it took. Samples begin on time whether those before have ended or
 * not, because a service that stands still would otherwise be sampled only once.
 */
export async function sampleGuild(place: Place, durationMs: number, samples: Samples): Promise<void> {
  const { client, good } = place;
  const endMs = performance.now() + durationMs;
  const live = await openLivePage(place);
  const keyOf = (number: number) => good.keys[number % good.keys.length] ?? '';
  const cookieOf = (number: number) => good.people[number % good.people.length]?.cookie ?? '';
  const timed = async (path: string, ask: Ask): Promise<number> => {
    const startMs = performance.now();
    const { status, text } = await client.ask(path, ask);
    if (status !== 200) {
      throw new Error(`${path} was answered with ${status} ${text}`);
    }
    return performance.now() - startMs;
  };

  async function samplePost(number: number): Promise<void> {
    const playerId = crypto.randomUUID();
    const headers = { 'x-api-key': keyOf(number) };
    const json = transactionBody({ playerId });
    samples.post.push(await timed('/guild/ledger', { method: 'POST', headers, json }));
    const postedAtMs = performance.now();
    await untilTrue(() => place.arrivedAtMs.has(playerId) && live.arrivedAtMs.has(playerId));
    samples.webhook.push((place.arrivedAtMs.get(playerId) ?? 0) - postedAtMs);
    samples['live page'].push((live.arrivedAtMs.get(playerId) ?? 0) - postedAtMs);
  }

  async function sampleList(number: number): Promise<void> {
    const path = `/guild/ledger/filler-${number % 100}/transactions`;
    samples.list.push(await timed(path, { headers: { 'x-api-key': keyOf(number) } }));
  }

  async function sampleSignIn(number: number): Promise<void> {
    // An address may begin 120 sign-ins a minute.
    const { tookMs } = await place.signIn(signInId(number), `127.0.8.${1 + (number % 100)}`);
    samples['sign-in'].push(tookMs);
  }

  async function sampleExport(number: number): Promise<void> {
    const path = `/dashboard/api/guilds/${GOOD_GUILD}/transactions.csv`;
    samples.export.push(await timed(path, { headers: { cookie: cookieOf(number) } }));
  }

  try {
    await Promise.all([
      repeat(POST_EVERY_MS, endMs, samplePost),
      repeat(LIST_EVERY_MS, endMs, sampleList),
      repeat(SIGN_IN_EVERY_MS, endMs, sampleSignIn),
      // A guild has two exports at once, so that these follow each other.
      repeatInTurn(EXPORT_EVERY_MS, endMs, sampleExport),
    ]);
  } finally {
    live.close();
  }
}

async function repeat(everyMs: number, endMs: number, sample: (number: number) => Promise<void>) {
  const begun: Promise<void>[] = [];
  const failures: unknown[] = [];
  for (let number = 0; performance.now() < endMs && failures.length === 0; number += 1) {
    begun.push(sample(number).catch((error) => void failures.push(error)));
    await pause(everyMs);
  }
  await Promise.all(begun);
  if (failures.length > 0) {
    throw failures[0];
  }
}

async function repeatInTurn(everyMs: number, endMs: number, sample: (number: number) => Promise<void>) {
  for (let number = 0; performance.now() < endMs; number += 1) {
    await sample(number);
    await pause(everyMs);
  }
}

/** The events of the good guild's ledger as its page gets them: when each player was named. */
async function openLivePage({ address, good }: Place) {
  const arrivedAtMs = new Map<string, number>();
  const leaving = new AbortController();
  const response = await fetch(`${address}/dashboard/api/guilds/${GOOD_GUILD}/events`, {
    headers: { cookie: good.people[0]?.cookie ?? '' },
    signal: leaving.signal,
  });
  if (response.status !== 200) {
    throw new Error(`the live page was answered with ${response.status}`);
  }
  const read = async () => {
    let rest = '';
    for await (const piece of response.body?.pipeThrough(new TextDecoderStream()) ?? []) {
      const lines = (rest + piece).split('\n');
      rest = lines.pop() ?? '';
      for (const line of lines.filter((one) => one.startsWith('data: {'))) {
        for (const playerId of JSON.parse(line.slice('data: '.length)).playerIds) {
          arrivedAtMs.set(playerId, performance.now());
        }
      }
    }
  };
  // Leaving breaks the reading off.
  read().catch(() => undefined);
  return { arrivedAtMs, close: () => leaving.abort() };
}
