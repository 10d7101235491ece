import type { IncomingMessage, ServerResponse } from 'node:http';
import type { Static } from 'typebox';
import { NewTransaction } from '../../wire/ledger.ts';
import { postedBody, postedHeaders } from '../answer-text.ts';
import { BODY_BYTES_MAX, startBodyDeadline } from '../body-deadline.ts';
import { parseJson } from '../json-body.ts';
import { postTransaction } from '../routes/ledger.ts';
import { createEntry, type Entry } from './entry.ts';
import type { Answer, DirectParts } from './parts.ts';
import { PLAIN_IDEMPOTENCY_KEY } from './plain.ts';
import { createSend, sendRefusal } from './send.ts';

/** Posting a transaction. */
export function createPost(parts: DirectParts): {
  takes: (request: IncomingMessage) => boolean;
  answer: Answer;
} {
  const enter = createEntry(postTransaction, parts);
  const post = createPosting(parts);
  return {
    takes: isPlainPost,
    async answer(key, request, response) {
      const startMs = performance.now();
      const entry = await enter(key);
      if (entry === undefined) {
        return false;
      }
      await post({ ...entry, request, response, startMs });
      return true;
    },
  };
}

function isPlainPost({ url, headers }: IncomingMessage): boolean {
  const key = headers['idempotency-key'];
  const length = Number(headers['content-length']);
  return (
    url === postTransaction.path &&
    headers['content-type'] === 'application/json' &&
    headers['transfer-encoding'] === undefined &&
    length > 0 &&
    length <= BODY_BYTES_MAX &&
    (key === undefined || (typeof key === 'string' && PLAIN_IDEMPOTENCY_KEY.test(key)))
  );
}

interface AdmittedPost extends Entry {
  request: IncomingMessage;
  response: ServerResponse;
  startMs: number;
}

/** From here on the post has counted against its limit, so that whatever comes of it is answered here. */
function createPosting(parts: DirectParts) {
  const send = createSend(postTransaction, parts);
  const readBody = parts.createReader(NewTransaction, 'body');
  // Without imports, the server's own limit for a whole request is the deadline of bodies.
  const hasLongRequests = parts.botToken !== undefined;

  function readTransaction(bytes: Buffer): Static<typeof NewTransaction> {
    const result = readBody(parseJson(bytes));
    if ('error' in result) {
      throw result.error;
    }
    return result.value;
  }

  return async ({ request, response, principal, startMs, headers }: AdmittedPost): Promise<void> => {
    try {
      if (hasLongRequests) {
        startBodyDeadline(request, response);
      }
      const input = readTransaction(await bytesOf(request));
      // One header of this name, or none, was asked for before.
      const idempotencyKey = request.headers['idempotency-key'] as string | undefined;
      const outcome = await parts.ledger.post(principal, input, idempotencyKey);
      headers.push(...postedHeaders(outcome));
      send(response, { startMs, status: 200, body: postedBody(outcome.type), headers, principal });
    } catch (thrown) {
      sendRefusal(send, response, { startMs, headers, principal, thrown }, parts);
    }
  };
}

/** The body, whose length is known to be within the limit. When its sender goes away, nobody waits any more. */
function bytesOf(request: IncomingMessage): Promise<Buffer> {
  return new Promise((resolve) => {
    // Most bodies come in one piece.
    let bytes: Buffer | undefined;
    request.on('data', (part: Buffer) => {
      bytes = bytes === undefined ? part : Buffer.concat([bytes, part]);
    });
    request.once('end', () => resolve(bytes ?? Buffer.alloc(0)));
  });
}
