import type { IncomingMessage } from 'node:http';
import { DomainError } from '../domain/errors.ts';
import type { Clock } from '../domain/ports.ts';
import { ANSWER_KEPT_MAX, keptPart } from '../domain/webhooks/kept-part.ts';
import { readRetryAfter } from '../domain/webhooks/retries.ts';
import type { Outgoing, SendOutcome, WebhookSender } from '../domain/webhooks/sending.ts';
import { type ConnectionParts, createConnections, RefusedAddress } from '../outgoing/connections.ts';

/** Time limit of one delivery: resolving, connecting, sending, waiting for the head of the answer. */
export const DELIVERY_TIMEOUT_MS = 20_000;
const ANSWER_CHARACTERS_KEPT = 200;
const ANSWER_BYTES_READ_MAX = 4_096;
/** The body of a successful answer is only shown to people. A delivery waits no longer than this for it. */
const SUCCESS_BODY_MS = 500;

export interface SenderParts extends ConnectionParts {
  clock: Pick<Clock, 'nowMs' | 'monotonicMs'>;
  timeoutMs?: number | undefined;
}

/** Delivers over HTTP, to allowed addresses only. */
export function createSender(parts: SenderParts): WebhookSender & { close(): void } {
  const { clock, timeoutMs = DELIVERY_TIMEOUT_MS } = parts;
  const connections = createConnections(parts);

  async function send(
    { guildNo, url: text, headers, body }: Outgoing,
    signal: AbortSignal,
  ): Promise<SendOutcome> {
    const url = new URL(text);
    const startMs = performance.now();
    const address = await connections.resolve(url, guildNo, signal);
    const answer = await connections.request({ method: 'POST', url, address, headers, body, signal });
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
        await connections.resolve(new URL(text), guildNo, AbortSignal.timeout(timeoutMs));
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
    close: () => connections.close(),
  };
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

/** The dashboard has translations of these. */
export const CODE_TEXTS: Readonly<Record<string, string>> = {
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
