import { createWriteStream } from 'node:fs';
import path from 'node:path';
import { Readable } from 'node:stream';
import { pipeline } from 'node:stream/promises';
import { setTimeout as pause } from 'node:timers/promises';
import { createPoster, storeSettings } from '../../server/test/support/load.ts';
import { endNow, runCommand, startServer } from '../../server/test/support/process.ts';

/** Everything that other verifiers check, as a running service answered it. */
export interface Vectors {
  verifierKey: string;
  checkpoints: string[];
  /** In the text form of tlog-proof. */
  receipts: string[];
  consistency: { from: string; to: string; proof: string[] }[];
  /** Receipts with an altered leaf. */
  wrong: string[];
  /** The texts of the first leaves. */
  firstLeaves: string[];
}

/** Sizes that are reached by posts, and then by imports. */
const POSTED = [1, 2, 3, 255, 256, 257];
const IMPORTED = [65_535, 65_536, 65_537];
const LAST_MIN = 1_000_000;
const LAST_SPREAD = 200_000;
const RECEIPTS = 100;
const PROOFS = 10;
/** Enough that the limit of a key slows nothing down. */
const KEYS = 60;
const AT_ONCE = 8;
const BATCH_MAX = 100;
const POLL_MS = 100;
/** Answers after which a request is sent again. */
const LATER = [429, 503];
const NAMES = ['Iron Ingot', 'Schwert der "Dämmerung"', '剣', 'a\\b / c', '😀 <b>'];

type Answer = { text: string; json(): { data: Record<string, unknown> } };

function postOf(index: number) {
  return {
    playerId: `player ${index % 97}`,
    name: NAMES[index % NAMES.length] ?? '',
    quantity: 1 + (index % 5),
    amount: (index * 12_345 + 1) / 10_000,
    source: 'shop',
    ...(index % 3 === 0 && { reference: `order-${index}` }),
    ...(index % 4 === 0 && { metadata: { b: '2', a: String(index), B: 'Größe "€" \\' } }),
  };
}

const importedId = (index: number) => `0192f0c1-7d5a-7abc-8def-${String(index).padStart(12, '0')}`;

/**
 * Grows the ledger of a service through all sizes, by posts and imports, and asks it for checkpoints, receipts and consistency
 * proofs at each. `random` returns numbers from 0 to 1.
 */
export async function collectVectors(folder: string, random: () => number): Promise<Vectors> {
  const file = path.join(folder, 'guildbook.db');
  const { keys } = await createPoster(file, KEYS);
  const env = { ...storeSettings(`sqlite:${file}`), LOG_LEVEL: 'warn' };
  const server = await startServer({ cwd: folder, env: { ...env, LOG_LEVEL: 'info' } });
  try {
    const ask = createAsking(server.address, keys);
    const grow = createGrowth(ask, (lines) => runImport(folder, env, lines));
    return await collect({ ask, grow, random });
  } finally {
    await endNow(server.child);
  }
}

type Ask = (url: string, init?: { method?: string; accept?: string; body?: object }) => Promise<Answer>;

/** Sends requests with one key after the other, again when one is refused for being too many or too early. */
function createAsking(address: string, keys: readonly string[]): Ask {
  let turn = 0;
  return async function ask(url, { method = 'GET', accept = 'application/json', body } = {}) {
    for (;;) {
      turn += 1;
      const reply = await fetch(`${address}${url}`, {
        method,
        headers: { 'x-api-key': keys[turn % keys.length] ?? '', accept, 'content-type': 'application/json' },
        ...(body !== undefined && { body: JSON.stringify(body) }),
      });
      const text = await reply.text();
      if (reply.status === 200) {
        return { text, json: () => JSON.parse(text) };
      }
      if (!LATER.includes(reply.status) && !text.includes('not_sealed_yet')) {
        throw new Error(`${method} ${url} answered ${reply.status}: ${text}`);
      }
      await pause(POLL_MS);
    }
  };
}

/** Makes the ledger longer, and returns the ids of its transactions. */
function createGrowth(ask: Ask, load: (lines: Iterable<string>) => Promise<void>) {
  const ids: string[] = [];

  async function post(size: number): Promise<void> {
    while (ids.length < size) {
      const count = Math.min(size - ids.length, BATCH_MAX);
      const transactions = Array.from({ length: count }, (_, index) => postOf(ids.length + index));
      const reply = await ask('/guild/transactions', { method: 'POST', body: { transactions } });
      const results = reply.json().data.results as { transactionId: string }[];
      ids.push(...results.map(({ transactionId }) => transactionId));
    }
  }

  function* lines(size: number): Generator<string> {
    for (; ids.length < size; ids.push(importedId(ids.length))) {
      const createdAt = new Date(Date.UTC(2020, 0, 1) + ids.length * 1_000).toISOString();
      const row = {
        guildId: 'load',
        transactionId: importedId(ids.length),
        ...postOf(ids.length),
        // The past of an account that has newer posts cannot be imported.
        playerId: `imported ${ids.length % 97}`,
        createdAt,
      };
      yield `${JSON.stringify(row)}\n`;
    }
  }

  return async function grow(size: number): Promise<readonly string[]> {
    await (size <= (POSTED.at(-1) ?? 0) ? post(size) : load(lines(size)));
    return ids;
  };
}

async function runImport(
  folder: string,
  env: Record<string, string>,
  lines: Iterable<string>,
): Promise<void> {
  const file = path.join(folder, 'transactions.ndjson');
  await pipeline(Readable.from(lines), createWriteStream(file));
  const { status, stderr } = await runCommand(['import', 'transactions', file], { cwd: folder, env });
  if (status !== 0) {
    throw new Error(`the import failed: ${stderr}`);
  }
}

interface Collecting {
  ask: Ask;
  grow: (size: number) => Promise<readonly string[]>;
  random: () => number;
}

async function collect({ ask, grow, random }: Collecting): Promise<Vectors> {
  const made: Vectors = {
    verifierKey: '',
    checkpoints: [],
    receipts: [],
    consistency: [],
    wrong: [],
    firstLeaves: [],
  };
  const sizes: number[] = [];
  const receiptOf = async (id: string) =>
    (await ask(`/guild/transactions/${id}/receipt`, { accept: 'text/plain' })).text;

  for (const size of [...POSTED, ...IMPORTED, LAST_MIN + Math.floor(random() * LAST_SPREAD)]) {
    const ids = await grow(size);
    const { checkpoint, verifierKey } = await sealedAt(ask, size);
    made.verifierKey = verifierKey;
    made.checkpoints.push(checkpoint);
    sizes.push(size);
    const chosen = Array.from({ length: RECEIPTS }, (_, index) =>
      index === 0 ? ids.length - 1 : Math.floor(random() * ids.length),
    );
    const receipts = await several(chosen, (index) => receiptOf(ids[index] ?? ''));
    made.receipts.push(...receipts);
    made.wrong.push(...receipts.slice(0, 1).map(alterLeaf));
    if (size === POSTED.at(-1)) {
      made.firstLeaves = (await several([...ids], receiptOf)).sort(byIndex).map(leafIn);
    }
    const olders = Array.from({ length: PROOFS }, () => Math.floor(random() * sizes.length));
    made.consistency.push(
      ...(await several(olders, async (place) => {
        const reply = await ask(`/guild/seal/consistency?from=${sizes[place]}`);
        const { proof, checkpoint: to } = reply.json().data as { proof: string[]; checkpoint: string };
        return { from: made.checkpoints[place] ?? '', to, proof };
      })),
    );
    console.log(`${size} transactions: ${receipts.length} receipts and ${olders.length} consistency proofs`);
  }
  return made;
}

/** Waits until the whole ledger is sealed. */
async function sealedAt(ask: Ask, size: number): Promise<{ checkpoint: string; verifierKey: string }> {
  for (;;) {
    const { data } = (await ask('/guild/seal')).json();
    const {
      checkpoint,
      verifierKeys,
      size: sealed,
    } = data as Record<string, unknown> & {
      verifierKeys: string[];
    };
    if (sealed === size) {
      return { checkpoint: String(checkpoint), verifierKey: verifierKeys[0] ?? '' };
    }
    await pause(POLL_MS);
  }
}

/** Runs the work for each item, a few at once, and keeps their order. */
async function several<Item, Result>(
  items: readonly Item[],
  work: (item: Item) => Promise<Result>,
): Promise<Result[]> {
  const results: Result[] = [];
  for (let first = 0; first < items.length; first += AT_ONCE) {
    results.push(...(await Promise.all(items.slice(first, first + AT_ONCE).map(work))));
  }
  return results;
}

const EXTRA = /^extra (.+)$/m;
const leafIn = (receipt: string) => Buffer.from(EXTRA.exec(receipt)?.[1] ?? '', 'base64').toString();
const indexIn = (receipt: string) => Number(/^index (\d+)$/m.exec(receipt)?.[1]);
const byIndex = (one: string, other: string) => indexIn(one) - indexIn(other);

function alterLeaf(receipt: string): string {
  const altered = Buffer.from(leafIn(receipt).replace('"shop"', '"shoq"')).toString('base64');
  return receipt.replace(EXTRA, `extra ${altered}`);
}
