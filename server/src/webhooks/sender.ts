import type { AgentOptions, IncomingMessage } from 'node:http';
import type { Agent } from 'node:https';
import { isIP } from 'node:net';
import { DomainError } from '../domain/errors.ts';
import type { Clock } from '../domain/ports.ts';
import { ANSWER_KEPT_MAX, keptPart } from '../domain/webhooks/kept-part.ts';
import type { Networks } from '../domain/webhooks/networks.ts';
import { readRetryAfter } from '../domain/webhooks/retries.ts';
import type { Outgoing, SendOutcome, WebhookSender } from '../domain/webhooks/sending.ts';
import { http, loadHttps } from '../node-http.ts';
import { createNames, type Lookup, type NamesParts } from './names.ts';

/** Time limit of one delivery: resolving, connecting, sending, waiting for the head of the answer. */
export const DELIVERY_TIMEOUT_MS = 20_000;
const ANSWER_CHARACTERS_KEPT = 200;
const ANSWER_BYTES_READ_MAX = 4_096;
/** The body of a successful answer is only shown to people. A delivery waits no longer than this for it. */
const SUCCESS_BODY_MS = 500;
const IDLE_CONNECTION_MS = 10_000;
const SOCKETS_MAX = 100;

export interface SenderParts extends NamesParts {
  networks: Networks;
  clock: Pick<Clock, 'nowMs' | 'monotonicMs'>;
  /** Replaces the hosts file and DNS. */
  lookup?: Lookup | undefined;
  timeoutMs?: number | undefined;
}

/**
 * Delivers over HTTP. Each delivery resolves the name, picks an allowed address and connects to that address. The
 * name is not resolved again in between, so the connection cannot go to another address.
 */
export function createSender(parts: SenderParts): WebhookSender & { close(): void } {
  const { networks, clock, timeoutMs = DELIVERY_TIMEOUT_MS } = parts;
  const names = createNames(parts);
  const lookup = parts.lookup ?? names.lookup;
  const options = { keepAlive: true, timeout: IDLE_CONNECTION_MS, maxSockets: SOCKETS_MAX };
  const agents = createAgents(options);

  /** An allowed address of the URL's host. Throws the reason when there is none. */
  async function resolve({ hostname, protocol }: URL, guildNo: number): Promise<string> {
    const host = hostname.replace(/^\[|\]$/g, '');
    const found = isIP(host) === 0 ? await lookup(host, guildNo) : [{ address: host }];
    const allowed = found.map(({ address }) => address).filter(networks.isAllowed);
    const [address] = allowed;
    if (address === undefined) {
      throw new RefusedAddress(
        found.length === 0
          ? `${host} has no address`
          : // Without the address that the name has: it would reveal the operator's internal network.
            `${host} is not on the public Internet; the operator can allow it with WEBHOOK_ALLOWED_NETWORKS`,
      );
    }
    if (protocol === 'http:' && !networks.isListed(address)) {
      throw new RefusedAddress(
        'it must begin with https://; plain http is for WEBHOOK_ALLOWED_NETWORKS alone',
      );
    }
    return address;
  }

  async function send(
    { guildNo, url: text, headers, body }: Outgoing,
    signal: AbortSignal,
  ): Promise<SendOutcome> {
    const url = new URL(text);
    const startMs = performance.now();
    const address = await within(signal, resolve(url, guildNo));
    const answer = await request({ url, address, headers, body, signal, agents });
    const durationMs = Math.round(performance.now() - startMs);
    const status = answer.statusCode ?? 0;
    const isSuccess = status >= 200 && status < 300;
    const said = await readBeginning(answer, isSuccess ? SUCCESS_BODY_MS : timeoutMs);
    const kept = keptPart(said, ANSWER_KEPT_MAX);
    if (isSuccess) {
      return { status, durationMs, error: undefined, retryAfterMs: undefined, answer: kept };
    }
    return {
      status,
      durationMs,
      error: explainStatus(status, said),
      retryAfterMs: readRetryAfter(answer.headers['retry-after'], clock.nowMs()) ?? retryAfterOf(said),
      answer: kept,
    };
  }

  return {
    async check(text, { guildNo }) {
      try {
        await within(AbortSignal.timeout(timeoutMs), resolve(new URL(text), guildNo));
      } catch (error) {
        const detail = `url cannot be used: ${explain(error, new URL(text).hostname)}`;
        throw new DomainError('invalid_input', { detail, cause: error });
      }
    },
    async send(outgoing) {
      const startMs = performance.now();
      try {
        return await send(outgoing, AbortSignal.timeout(timeoutMs));
      } catch (error) {
        return {
          status: undefined,
          durationMs: Math.round(performance.now() - startMs),
          error: explain(error, new URL(outgoing.url).hostname),
          retryAfterMs: undefined,
        };
      }
    },
    close() {
      names.close();
      agents.destroy();
    },
  };
}

class RefusedAddress extends Error {}

interface PinnedRequest extends Omit<Outgoing, 'url' | 'guildNo'> {
  url: URL;
  address: string;
  signal: AbortSignal;
  agents: ReturnType<typeof createAgents>;
}

/** Agents that keep connections open. The one for TLS is created on first use. */
function createAgents(options: AgentOptions) {
  const plain = new http.Agent(options);
  let secure: Agent | undefined;
  return {
    plain: () => plain,
    secure() {
      secure ??= new (loadHttps().Agent)(options);
      return secure;
    },
    destroy() {
      plain.destroy();
      secure?.destroy();
    },
  };
}

/** Connects to the address, with the host name in the header and for TLS, which checks the certificate against it. */
function request({ url, address, headers, body, signal, agents }: PinnedRequest): Promise<IncomingMessage> {
  const isSecure = url.protocol === 'https:';
  return new Promise((resolve, reject) => {
    const options = {
      method: 'POST',
      host: address,
      port: url.port === '' ? (isSecure ? 443 : 80) : Number(url.port),
      path: `${url.pathname}${url.search}`,
      headers: { ...headers, host: url.host, 'content-length': Buffer.byteLength(body) },
      signal,
    };
    const sent = isSecure
      ? loadHttps().request({ ...options, agent: agents.secure() })
      : http.request({ ...options, agent: agents.plain() });
    sent.once('response', resolve);
    // Later errors, such as the time limit while an answer is discarded, have no effect.
    sent.on('error', reject);
    sent.end(body);
  });
}

/**
 * The beginning of an answer, as far as it arrives within `waitMs`. A short answer is read to its end, so that the
 * connection can be used again.
 */
function readBeginning(answer: IncomingMessage, waitMs: number): Promise<string> {
  return new Promise((resolve) => {
    const chunks: Buffer[] = [];
    let size = 0;
    const finish = () => {
      clearTimeout(timer);
      resolve(Buffer.concat(chunks).toString('utf8').slice(0, ANSWER_BYTES_READ_MAX));
    };
    const stop = () => {
      answer.destroy();
      finish();
    };
    const timer = setTimeout(stop, waitMs).unref();
    answer.on('data', (chunk: Buffer) => {
      chunks.push(chunk);
      size += chunk.length;
      if (size > ANSWER_BYTES_READ_MAX) {
        stop();
      }
    });
    // An answer that is cut off closes without an end; the part received so far is used.
    answer.once('close', finish);
    answer.once('end', finish);
    answer.on('error', finish);
  });
}

// Control characters and direction marks would change the text of the pages.
const UNREADABLE = /[\p{Cc}\p{Cs}\u2028\u2029\u061C\u200E\u200F\u202A-\u202E\u2066-\u2069]+/gu;

function explainStatus(status: number, text: string): string {
  const said = text.replaceAll(UNREADABLE, ' ').trim().slice(0, ANSWER_CHARACTERS_KEPT);
  const what =
    status >= 300 && status < 400 ? `answered ${status}: redirects are not followed` : `answered ${status}`;
  return said === '' ? what : `${what}: ${said}`;
}

/** Some chat platforms have the pause in the body, with fractions of a second. */
function retryAfterOf(text: string): number | undefined {
  const seconds = /"retry_after"\s*:\s*(\d+(?:\.\d+)?)/.exec(text)?.[1];
  return seconds === undefined ? undefined : Math.ceil(Number(seconds) * 1_000);
}

const CODE_TEXTS: Readonly<Record<string, string>> = {
  ENOTFOUND: 'the name does not exist',
  EAI_AGAIN: 'the name could not be resolved',
  ETIMEOUT: 'its name server does not answer',
  ETOOMANYNAMES: 'too many names of this guild are being resolved, try again in some seconds',
  ECONNREFUSED: 'the connection was refused',
  ECONNRESET: 'the connection was cut off',
  EHOSTUNREACH: 'the machine is out of reach',
  ENETUNREACH: 'the network is out of reach',
  ETIMEDOUT: 'the connection timed out',
  HPE_INVALID_CONSTANT: 'the answer was not HTTP',
};

/** The error as a sentence for the owner of the endpoint. */
function explain(error: unknown, hostname: string): string {
  if (error instanceof RefusedAddress) {
    return error.message;
  }
  if (error instanceof Error && (error.name === 'AbortError' || error.name === 'TimeoutError')) {
    return 'no answer in time';
  }
  const code = error instanceof Error && 'code' in error ? String(error.code) : 'unknown';
  return `${hostname}: ${CODE_TEXTS[code] ?? `the request failed (${code})`}`;
}

/** Rejects when the time is up, even if the work has not ended. */
function within<Result>(signal: AbortSignal, work: Promise<Result>): Promise<Result> {
  return new Promise((resolve, reject) => {
    const giveUp = () => reject(signal.reason);
    signal.addEventListener('abort', giveUp, { once: true });
    work.then(resolve, reject).finally(() => signal.removeEventListener('abort', giveUp));
  });
}
