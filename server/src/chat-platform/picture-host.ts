import type { IncomingMessage } from 'node:http';
import { PICTURE_BYTES_MAX, type PictureHost, type PictureType } from '../domain/people/chat-pictures.ts';
import type { Connections } from '../outgoing/connections.ts';

/** Time limit of one picture: resolving, connecting, and its whole body. */
const PICTURE_TIMEOUT_MS = 2_000;
/** Look-ups of names are counted for each guild; those of pictures count for none. */
const NO_GUILD = 0;
const ID = /^[\w-]{1,128}$/;

/** The first bytes of each type of picture. SVG is missing on purpose: it can contain scripts. */
const SIGNATURES: readonly { type: PictureType; start: string; later?: { at: number; text: string } }[] = [
  { type: 'image/png', start: '\x89PNG\r\n\x1a\n' },
  { type: 'image/jpeg', start: '\xff\xd8\xff' },
  { type: 'image/gif', start: 'GIF87a' },
  { type: 'image/gif', start: 'GIF89a' },
  { type: 'image/webp', start: 'RIFF', later: { at: 8, text: 'WEBP' } },
];

export interface PictureHostOptions {
  /** The address of a picture, with `{kind}`, `{id}` and `{hash}`. */
  template: string;
  connections: Connections;
  timeoutMs?: number | undefined;
}

/** Fetches pictures over HTTP, without any token, and follows no redirects. */
export function createPictureHost(options: PictureHostOptions): PictureHost {
  const { template, connections, timeoutMs = PICTURE_TIMEOUT_MS } = options;
  return {
    async fetch({ kind, id, hash }) {
      if (!ID.test(id)) {
        return undefined;
      }
      const url = new URL(
        template.replaceAll('{kind}', kind).replaceAll('{id}', id).replaceAll('{hash}', hash),
      );
      const signal = AbortSignal.timeout(timeoutMs);
      const address = await connections.resolve(url, NO_GUILD, signal);
      const headers = { accept: 'image/webp,image/png,image/jpeg,image/gif' };
      const answer = await connections.request({ method: 'GET', url, address, headers, body: '', signal });
      const { statusCode: status = 0 } = answer;
      if (status !== 200) {
        answer.destroy();
        if (status === 429 || status >= 500) {
          throw new Error(`status ${status}`);
        }
        return undefined;
      }
      const bytes = await readBounded(answer);
      const type = bytes && typeOf(bytes);
      return bytes && type && { type, bytes };
    },
  };
}

/** Undefined when the body is too large. Rejects when it is cut off or late. */
async function readBounded(answer: IncomingMessage): Promise<Buffer | undefined> {
  const chunks: Buffer[] = [];
  let size = 0;
  for await (const chunk of answer) {
    size += chunk.length;
    if (size > PICTURE_BYTES_MAX) {
      // Leaving the loop destroys the answer and its connection.
      return undefined;
    }
    chunks.push(chunk);
  }
  return Buffer.concat(chunks);
}

/** The type by the first bytes, whatever the host says. */
function typeOf(bytes: Buffer): PictureType | undefined {
  const head = bytes.toString('latin1', 0, 16);
  return SIGNATURES.find(
    ({ start, later }) =>
      head.startsWith(start) && (later === undefined || head.startsWith(later.text, later.at)),
  )?.type;
}
