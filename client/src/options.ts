export interface ClientOptions extends SendOptions {
  /** A key of one guild. It is sent only in the `x-api-key` header. */
  apiKey: string;
  /** Generates the idempotency key of a post without one. Default: `crypto.randomUUID`. */
  createIdempotencyKey?: (() => string) | undefined;
}

export interface BotOptions extends SendOptions {
  /** The service's `BOT_TOKEN`. It is sent only in the `authorization` header. */
  botToken: string;
  /** Generates the id of a record without one. Default: `crypto.randomUUID`. */
  createId?: (() => string) | undefined;
}

/** Options of sending, for both clients. */
export interface SendOptions {
  /** The address of the service, such as `https://guildbook.example.org`. A path in it is kept. */
  baseUrl: string;
  /** The maximum number of retries of a call. 0 tries once. Default: 8. */
  retries?: number | undefined;
  /** The time limit of a call with all attempts and pauses. Default: 30,000. */
  timeoutMs?: number | undefined;
  /** The time limit of one attempt, after which it counts as a broken connection. Default: 10,000. */
  attemptTimeoutMs?: number | undefined;
  /** Sends the requests. Default: the global `fetch`. */
  fetch?: Fetch | undefined;
  /** Provides the time and the pauses between attempts. Default: the runtime's. */
  clock?: Clock | undefined;
  /** A number from 0 up to 1, for the jitter. Default: `Math.random`. */
  random?: (() => number) | undefined;
}

/** The part of `fetch` that is used. */
export type Fetch = (url: string, init: RequestInit) => Promise<Response>;

/** Not used for the time limit of one attempt, which runs on the runtime's own timer. */
export interface Clock {
  /** Only differences have a meaning; it should never go back. */
  nowMs(): number;
  /** Resolves after the time, or as soon as the signal is aborted. */
  sleep(ms: number, signal: AbortSignal | undefined): Promise<void>;
}

/** The checked options with all defaults. */
export interface Settings {
  /** Without a trailing slash. */
  baseUrl: string;
  /** The headers that authenticate the caller. */
  credentials: Readonly<Record<string, string>>;
  /** The key or token itself, for removing it from messages. */
  secret: string;
  retries: number;
  timeoutMs: number;
  attemptTimeoutMs: number;
  fetch: Fetch;
  clock: Clock;
  random: () => number;
}

/** Throws a TypeError that names the invalid option, but not its value, which may be the key. */
export function readOptions(options: ClientOptions): Settings {
  const secret = readSecret('apiKey', options.apiKey);
  return { ...readSendOptions(options), secret, credentials: { 'x-api-key': secret } };
}

/** The same for the operator's bot. */
export function readBotOptions(options: BotOptions): Settings {
  const secret = readSecret('botToken', options.botToken);
  return { ...readSendOptions(options), secret, credentials: { authorization: `Bearer ${secret}` } };
}

function readSendOptions(options: SendOptions): Omit<Settings, 'credentials' | 'secret'> {
  return {
    baseUrl: readBaseUrl(options.baseUrl),
    retries: readCount('retries', options.retries ?? 8, 0),
    timeoutMs: readCount('timeoutMs', options.timeoutMs ?? 30_000, 1),
    attemptTimeoutMs: readCount('attemptTimeoutMs', options.attemptTimeoutMs ?? 10_000, 1),
    // Some runtimes refuse a `fetch` that is detached from its global object.
    fetch: options.fetch ?? ((url, init) => globalThis.fetch(url, init)),
    clock: options.clock ?? systemClock,
    random: options.random ?? Math.random,
  };
}

/** A longer timer would fire at once. */
const TIMER_MAX_MS = 2_147_483_647;

const systemClock: Clock = {
  nowMs: () => performance.now(),
  sleep: (ms, signal) =>
    new Promise((resolve) => {
      function finish(): void {
        clearTimeout(timer);
        signal?.removeEventListener('abort', finish);
        resolve();
      }
      const timer = setTimeout(finish, ms);
      signal?.addEventListener('abort', finish);
    }),
};

function readBaseUrl(value: string): string {
  const url = URL.canParse(value) ? new URL(value) : undefined;
  if (url === undefined || !/^https?:$/.test(url.protocol)) {
    throw new TypeError('baseUrl must be an address that begins with http:// or https://');
  }
  if (url.username !== '' || url.password !== '' || url.search !== '' || url.hash !== '') {
    throw new TypeError('baseUrl must not have a user, a query or a fragment');
  }
  return url.origin + url.pathname.replace(/\/+$/, '');
}

/** Checked here because the error of `fetch` contains the value of a refused header. */
function readSecret(name: 'apiKey' | 'botToken', value: string): string {
  if (typeof value !== 'string' || !/^[!-~]+$/.test(value)) {
    const what = name === 'apiKey' ? 'a key' : 'a token';
    throw new TypeError(`${name} must be ${what}: printable ASCII characters without spaces`);
  }
  return value;
}

function readCount(name: string, value: number, least: number): number {
  if (!Number.isInteger(value) || value < least || value > TIMER_MAX_MS) {
    throw new TypeError(`${name} must be an integer from ${least} to ${TIMER_MAX_MS}`);
  }
  return value;
}
