import type { IncomingMessage, ServerResponse } from 'node:http';
import { listCommands } from '../routes/commands.ts';
import { createListing } from './listing.ts';
import type { Answer, DirectParts, Handler } from './parts.ts';
import { readPlainKey } from './plain-head.ts';
import { createPost } from './post.ts';
import { createCommandsAnswer, createRecordAnswers } from './records.ts';

/**
 * The direct lane. Nearly all load is plain requests of the six endpoints by keys that are known, and for those the
 * framework's work would be most of the cost: they are answered here, on Node's own server. Whatever is unusual about a
 * request, or wrong with it before it has had an effect, goes the long way through the framework, where each endpoint is
 * defined in full. Both use the same rules, readers and texts, and tests compare what comes out byte for byte.
 */
export function createDirectLane(parts: DirectParts, theLongWay: Handler): Handler {
  const find = createFinder(parts);

  async function answerAt(answered: Promise<boolean>, ...[request, response]: Parameters<Handler>) {
    try {
      if (!(await answered)) {
        theLongWay(request, response);
      }
    } catch (error) {
      breakOff(error, response);
    }
  }

  function breakOff(error: unknown, response: ServerResponse): void {
    // Nobody can be told any more: the answer has begun.
    parts.logger.error({ err: error }, 'answer broken off');
    response.destroy();
  }

  return (request, response) => {
    const answer = find(request);
    const key = answer === undefined ? undefined : keyOf(request);
    if (answer === undefined || key === undefined || parts.isOverloaded()) {
      theLongWay(request, response);
      return;
    }
    try {
      const answered = answer(key, request, response);
      if (answered !== true) {
        void answerAt(Promise.resolve(answered), request, response);
      }
    } catch (error) {
      breakOff(error, response);
    }
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
    if (method !== 'GET') {
      return undefined;
    }
    if (url === listCommands.path) {
      return commands;
    }
    return list.find(url) ?? records(url);
  };
}

/** The request's key, an empty text without one; undefined when its head is not plain. */
function keyOf(request: IncomingMessage): string | undefined {
  if (request.method === 'GET') {
    return readPlainKey(request.rawHeaders);
  }
  const { host, 'x-api-key': key = '' } = request.headers;
  return host === undefined || typeof key !== 'string' ? undefined : key;
}
