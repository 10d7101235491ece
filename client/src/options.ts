export interface ClientOptions extends SendOptions {
  /** A key of one guild. It goes into the `x-api-key` header and nowhere else. */
  apiKey: string;
  /** Makes the idempotency key of a post that was given none. Default: `crypto.randomUUID`. */
  createIdempotencyKey?: (() => string) | undefined;
}

export interface BotOptions extends SendOptions {
  /** The service's `BOT_TOKEN`. It goes into the `authorization` header and nowhere else. */
  botToken: string;
  /** Makes the id of a record that was given none. Default: `crypto.randomUUID`. */
  createId?: (() => string) | undefined;
}

/** How requests are sent, whoever sends them. */
export interface SendOptions {
  /** Where the service is, such as `https://guildbook.example.org`. A path in it is kept. */
  baseUrl: string;
  /** How often a call is tried again, at most. 0 tries once. Default: 8. */
  retries?: number | undefined;
  /** How long a call may take, all attempts and waits together. Default: 30,000. */
  timeoutMs?: number | undefined;
  /** How long one attempt may take before it counts as a broken connection. Default: 10,000. */
  attemptTimeoutMs?: number | undefined;
  /** Sends the requests. Default: the global `fetch`. */
  fetch?: Fetch | undefined;
  /** Tells the time and waits between attempts. Default: the runtime's. */
  clock?: Clock | undefined;
  /** A number from 0 up to 1, for the jitter. Default: `Math.random`. */
  random?: (() => number) | undefined;
}

/** The part of `fetch` that is used. */
export type Fetch = (url: string, init: RequestInit) => Promise<Response>;

/** The time limit of one attempt is not its business: it runs on the runtime's own timer. */
export interface Clock {
  /** Only differences mean anything; it should never go back. */
  nowMs(): number;
  /** Resolves after the time, or as soon as the signal is aborted. */
  sleep(ms: number, signal: AbortSignal | undefined): Promise<void>;
}

/** The options with everything in place, checked. */
export interface Settings {
  /** Without a slash at its end. */
  baseUrl: string;
  /** Who is asking, as headers. */
  credentials: Readonly<Record<string, string>>;
  /** The key or token itself, to be kept out of messages. */
  secret: string;
  retries: number;
  timeoutMs: number;
  attemptTimeoutMs: number;
  fetch: Fetch;
  clock: Clock;
  random: () => number;
}

/** Throws a TypeError that names the option at fault, and never repeats its value: it may be the key. */
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
    // Some runtimes refuse a `fetch` that was taken off its global object, so it is called in place.
    fetch: options.fetch ?? ((url, init) => globalThis.fetch(url, init)),
    clock: options.clock ?? systemClock,
    random: options.random ?? Math.random,
  };
}

/** Asked for more, a timer would ring at once. */
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

/** Checked here because `fetch` repeats the value of a header it refuses in its error. */
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
