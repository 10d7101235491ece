import type { IncomingMessage, ServerResponse } from 'node:http';
import type { Principal } from '../../domain/model.ts';
import { type Body, commandsBody, dischargeBody, transferBody, verificationBody } from '../answer-text.ts';
import type { Endpoint } from '../endpoint.ts';
import { listCommands } from '../routes/commands.ts';
import { getDischarge, getTransfer } from '../routes/records.ts';
import { getVerification } from '../routes/users.ts';
import { createEntry } from './entry.ts';
import { createListing } from './listing.ts';
import type { Answer, DirectParts, Handler } from './parts.ts';
import { PLAIN_TEXT } from './plain.ts';
import { createPost } from './post.ts';
import { createSend } from './send.ts';

/**
 * The direct lane. Nearly all load is plain requests of the six endpoints by keys that are known, and for those the
 * framework's work would be most of the cost: they are answered here, on Node's own server. Whatever is unusual about a
 * request, or wrong with it before it has had an effect, goes the long way through the framework, where each endpoint is
 * defined in full. Both use the same rules, readers and texts, and tests compare what comes out byte for byte.
 */
export function createDirectLane(parts: DirectParts, theLongWay: Handler): Handler {
  const find = createFinder(parts);
  return (request, response) => {
    const answer = find(request);
    if (answer === undefined || request.headers.host === undefined || parts.isOverloaded()) {
      theLongWay(request, response);
      return;
    }
    answer(request, response).then(
      (isAnswered) => {
        if (!isAnswered) {
          theLongWay(request, response);
        }
      },
      (error) => {
        // Nobody can be told any more: the answer has begun.
        parts.logger.error({ err: error }, 'answer broken off');
        response.destroy();
      },
    );
  };
}

function createFinder(parts: DirectParts): (request: IncomingMessage) => Answer | undefined {
  const records = createRecordAnswers(parts);
  const list = createListing(parts);
  const post = createPost(parts);
  const commands = createCommandsAnswer(parts);
  return (request) => {
    const { method, url = '' } = request;
    if (method === 'POST') {
      return post.takes(request) ? post.answer : undefined;
    }
    if (method !== 'GET' || hasBody(request)) {
      return undefined;
    }
    if (url === listCommands.path) {
      return commands;
    }
    return list.find(url) ?? records(url);
  };
}

function hasBody({ headers }: IncomingMessage): boolean {
  return headers['content-length'] !== undefined || headers['transfer-encoding'] !== undefined;
}

/** The endpoints that read one record by the text at the end of their path. */
function createRecordAnswers(parts: DirectParts): (url: string) => Answer | undefined {
  const { records, verifications } = parts;
  const endpoints = [
    createRecordAnswer(getDischarge, parts, async (principal, id) =>
      dischargeBody(await records.getDischarge(principal, id)),
    ),
    createRecordAnswer(getTransfer, parts, async (principal, id) =>
      transferBody(await records.getTransfer(principal, id)),
    ),
    createRecordAnswer(getVerification, parts, async (_principal, query) =>
      verificationBody(await verifications.find(query)),
    ),
  ];
  return (url) => {
    for (const { prefix, answer } of endpoints) {
      if (url.startsWith(prefix)) {
        const id = url.slice(prefix.length);
        return PLAIN_TEXT.test(id) ? (request, response) => answer(id, request, response) : undefined;
      }
    }
    return undefined;
  };
}

function createRecordAnswer(
  endpoint: Endpoint,
  parts: DirectParts,
  read: (principal: Principal, id: string) => Promise<Body>,
) {
  const enter = createEntry(endpoint, parts);
  const send = createSend(endpoint, parts);
  return {
    prefix: endpoint.path.slice(0, endpoint.path.indexOf('{')),
    async answer(id: string, request: IncomingMessage, response: ServerResponse): Promise<boolean> {
      const startMs = performance.now();
      const entry = await enter(request);
      if (entry === undefined) {
        return false;
      }
      let body: Body;
      try {
        body = await read(entry.principal, id);
      } catch {
        return false;
      }
      send(response, { ...entry, startMs, status: 200, body });
      return true;
    },
  };
}

function createCommandsAnswer(parts: DirectParts): Answer | undefined {
  const send = createSend(listCommands, parts);
  if (parts.commandsRequireKey) {
    return undefined;
  }
  return async (_request, response) => {
    const startMs = performance.now();
    let body: Body;
    try {
      body = commandsBody(await parts.commands.list(undefined));
    } catch {
      return false;
    }
    send(response, { startMs, status: 200, body, headers: [], principal: undefined });
    return true;
  };
}
