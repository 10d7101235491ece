import type { IncomingMessage } from 'node:http';
import type { APIInteractionResponseCallbackData } from 'discord-api-types/v10';
import type { Connections } from '../../outgoing/connections.ts';
import { toForm } from '../../outgoing/form.ts';

/** Changes under way at once. Further ones are dropped: a guild that sends commands faster than Discord takes replies must not fill the memory. */
const PENDING_MAX = 200;
const REQUEST_MS = 10_000;
const TRIES_MAX = 5;
/** Until Discord has stored the reply itself, it answers 404 to its change. */
const PAUSE_MS = 400;
const PAUSE_MAX_MS = 30_000;
const ANSWER_BYTES_MAX = 4_096;
/** No guild's: the limits of host names that a guild may ask for do not apply to the platform's own. */
const NO_GUILD = 0;

export interface FollowUpParts {
  /** The base of `/webhooks/{applicationId}/{token}`. */
  apiUrl: string;
  applicationId: string;
  connections: Connections;
  pause: (durationMs: number) => Promise<unknown>;
  /** Unique for each form. */
  boundary: () => string;
}

export interface Picture {
  file: Uint8Array;
  fileName: string;
}

/** Changes of replies after they were sent. Each rejects with the reason when Discord does not take it. */
export interface FollowUps {
  /** Replaces the reply to an interaction. */
  edit(token: string, message: APIInteractionResponseCallbackData, picture?: Picture): Promise<void>;
  /** Sends a further message. */
  add(token: string, message: APIInteractionResponseCallbackData): Promise<void>;
}

export function createFollowUps(parts: FollowUpParts): FollowUps {
  const { apiUrl, applicationId, connections, pause } = parts;
  let pending = 0;

  async function send(order: Order): Promise<void> {
    const signal = AbortSignal.timeout(REQUEST_MS);
    const address = await connections.resolve(order.url, NO_GUILD, signal);
    const { method, url, body, contentType } = order;
    const headers = {
      'content-type': contentType,
      'user-agent': 'DiscordBot (https://github.com/guildbook/guildbook, 1)',
    };
    const answer = await connections.request({ method, url, address, headers, body, signal });
    const status = answer.statusCode ?? 0;
    const said = await readBeginning(answer);
    if (status < 200 || status >= 300) {
      throw new RefusedFollowUp(status, retryAfterMs(said));
    }
  }

  async function sendWithRetries(order: Order): Promise<void> {
    if (pending >= PENDING_MAX) {
      throw new Error('too many changes of replies are under way');
    }
    pending += 1;
    try {
      for (let attempt = 1; ; attempt += 1) {
        try {
          return await send(order);
        } catch (error) {
          const pauseMs = pauseAfter(error);
          if (pauseMs === undefined || attempt >= TRIES_MAX) {
            throw error;
          }
          await pause(pauseMs);
        }
      }
    } finally {
      pending -= 1;
    }
  }

  const webhook = (token: string) => `${apiUrl}/webhooks/${applicationId}/${encodeURIComponent(token)}`;
  return {
    edit: (token, message, picture) =>
      sendWithRetries({
        method: 'PATCH',
        url: new URL(`${webhook(token)}/messages/@original`),
        ...toContent(message, picture, parts.boundary),
      }),
    add: (token, message) =>
      sendWithRetries({
        method: 'POST',
        url: new URL(webhook(token)),
        ...toContent(message, undefined, parts.boundary),
      }),
  };
}

interface Order {
  method: 'PATCH' | 'POST';
  url: URL;
  body: string | Uint8Array;
  contentType: string;
}

class RefusedFollowUp extends Error {
  override name = 'RefusedFollowUp';
  readonly status: number;
  readonly retryAfterMs: number | undefined;

  constructor(status: number, retryAfterMs: number | undefined) {
    super(`the chat platform answered ${status} to the change of a reply`);
    this.status = status;
    this.retryAfterMs = retryAfterMs;
  }
}

/** The pause before the next attempt; undefined when there is no use in one. */
function pauseAfter(error: unknown): number | undefined {
  if (!(error instanceof RefusedFollowUp)) {
    return PAUSE_MS;
  }
  if (error.status === 429) {
    return Math.min(error.retryAfterMs ?? PAUSE_MS, PAUSE_MAX_MS);
  }
  return error.status === 404 || error.status >= 500 ? PAUSE_MS : undefined;
}

function toContent(
  message: APIInteractionResponseCallbackData,
  picture: Picture | undefined,
  boundary: () => string,
): Pick<Order, 'body' | 'contentType'> {
  if (picture === undefined) {
    return { body: JSON.stringify(message), contentType: 'application/json' };
  }
  const { file, fileName } = picture;
  const payload = JSON.stringify({ ...message, attachments: [{ id: 0, filename: fileName }] });
  return toForm({ payload, picture: file, fileName, boundary: boundary() });
}

function retryAfterMs(said: string): number | undefined {
  const seconds = /"retry_after"\s*:\s*(\d+(?:\.\d+)?)/.exec(said)?.[1];
  return seconds === undefined ? undefined : Math.ceil(Number(seconds) * 1_000);
}

/** Reads an answer to its end, so that the connection can be used again, and keeps its beginning. */
async function readBeginning(answer: IncomingMessage): Promise<string> {
  let said = '';
  for await (const chunk of answer) {
    said = said.length < ANSWER_BYTES_MAX ? said + String(chunk) : said;
  }
  return said;
}
