import { pino } from 'pino';
import { openToolbox, systemClock, systemIds } from '../../src/compose.ts';
import { readConfig } from '../../src/config.ts';
import { SCOPES } from '../../src/domain/model.ts';
import { TESTER } from './change.ts';

/** One post that will be sent until it is answered, always with the same idempotency key. */
export interface PlannedPost {
  playerId: string;
  name: string;
  amount: number;
  quantity: number;
  /**
   * A post of two transactions that are stored together or not at all: both sides of a payment, or a batch of two. Or a discharge of
   * that name, instead of transactions.
   */
  kind?: 'payment' | 'batch' | 'discharge';
}

const KINDS = [undefined, 'payment', 'batch'] as const;

/** Single posts, payments and batches in turn. */
export function kindOf(count: number): Pick<PlannedPost, 'kind'> {
  const kind = KINDS[count % KINDS.length];
  return kind === undefined ? {} : { kind };
}

/** The names of the transactions or records that a post makes. */
export function rowsOf({ name, kind }: PlannedPost): string[] {
  return kind === 'payment' || kind === 'batch' ? [name, name] : [name];
}

export interface Poster {
  /** Sends the post once. True when it was answered with 200, false when the answer never came or said "later". */
  post(address: string, planned: PlannedPost): Promise<boolean>;
}

export interface ExplainingPoster extends Poster {
  /** Sends the post once. Undefined when it was answered with 200, and otherwise the reason why it was not. */
  refusalOf(address: string, planned: PlannedPost): Promise<string | undefined>;
  /** The keys that it posts with, which have all scopes. */
  keys: readonly string[];
}

/** Answers after which a post may be sent again. A starved machine reads a request too late, which is the first one. */
const LATER: readonly number[] = [408, 429, 503];

/** Makes a guild and enough keys that the limit of one key never slows a test down. */
export function createPoster(file: string, keyCount: number): Promise<ExplainingPoster> {
  return createPosterOn(`sqlite:${file}`, keyCount);
}

/** The settings of a store at that address. A server's needs a secret that all its instances share. */
export function storeSettings(databaseUrl: string): Record<string, string> {
  return { DATABASE_URL: databaseUrl, SECRET_KEY: 'a-secret-of-the-tests-that-all-instances-share' };
}

/** The same on any store. */
export async function createPosterOn(databaseUrl: string, keyCount: number): Promise<ExplainingPoster> {
  const toolbox = await openToolbox(readConfig(storeSettings(databaseUrl)), {
    clock: systemClock,
    ids: systemIds,
    logger: pino({ level: 'silent' }),
    onFatal(error) {
      throw error;
    },
  });
  await toolbox.guilds.set({ guildId: 'load', name: 'Load', plan: 'developer' }, TESTER);
  const expiresAtMs = Date.now() + 86_400_000;
  // All at once, so that they share their commits.
  const made = Array.from({ length: keyCount }, (_, index) =>
    toolbox.keys.create({ guildId: 'load', name: `load ${index}`, scopes: SCOPES, expiresAtMs }, TESTER),
  );
  const keys = (await Promise.all(made)).map(({ value }) => value);
  await toolbox.close();

  let turn = 0;
  async function refusalOf(address: string, planned: PlannedPost): Promise<string | undefined> {
    turn += 1;
    const key = keys[turn % keys.length] ?? '';
    const answer = await send(address, key, planned).catch((error) => String(error.cause ?? error));
    if (typeof answer === 'string') {
      return answer;
    }
    if (answer.status !== 200 && !LATER.includes(answer.status)) {
      throw new Error(`unexpected answer: ${answer.status} ${answer.text}`);
    }
    return answer.status === 200 ? undefined : `${answer.status} ${answer.text}`;
  }
  return {
    post: async (address, planned) => (await refusalOf(address, planned)) === undefined,
    refusalOf,
    keys,
  };
}

/** The method, path and body of a post. */
function requestOf({ kind, ...planned }: PlannedPost): { method?: string; path: string; body: object } {
  const post = { ...planned, source: 'load' };
  if (kind === 'batch') {
    return { path: '/guild/transactions', body: { transactions: [post, post] } };
  }
  if (kind === 'discharge') {
    const { playerId, name } = post;
    const texts = { reason: 'load', date: '2024-11-23', type: 'load', from: 'load', signed: 'load' };
    const body = { id: name, guildId: 'load', chatId: playerId, playerId, name, ...texts };
    return { method: 'PUT', path: `/guild/records/discharges/${name}`, body };
  }
  if (kind === 'payment') {
    const { playerId, name, amount, source } = post;
    const sides = { fromPlayerId: playerId, toPlayerId: `friend of ${playerId}` };
    return { path: '/guild/payments', body: { ...sides, amount: Math.abs(amount), name, source } };
  }
  return { path: '/guild/ledger', body: post };
}

async function send(address: string, key: string, planned: PlannedPost) {
  const { method = 'POST', path, body } = requestOf(planned);
  const reply = await fetch(`${address}${path}`, {
    method,
    headers: { 'x-api-key': key, 'content-type': 'application/json', 'idempotency-key': planned.name },
    body: JSON.stringify(body),
  });
  return { status: reply.status, text: await reply.text() };
}
