import type { IncomingMessage, ServerResponse } from 'node:http';
import { listCommands } from '../routes/commands.ts';
import { createListing } from './listing.ts';
import type { Answer, DirectParts, Handler } from './parts.ts';
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
  const finish = (request: IncomingMessage, response: ServerResponse, isAnswered: boolean) => {
    if (!isAnswered) {
      theLongWay(request, response);
    }
  };
  return (request, response) => {
    const answer = find(request);
    if (answer === undefined || request.headers.host === undefined || parts.isOverloaded()) {
      theLongWay(request, response);
      return;
    }
    const answered = answer(request, response);
    if (typeof answered === 'boolean') {
      finish(request, response, answered);
      return;
    }
    answered.then(
      (isAnswered) => finish(request, response, isAnswered),
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
