import http from 'node:http';
import { isMainThread } from 'node:worker_threads';

/**
 * Loaded into a service before its own code (`--import`). Answers every visit of a public board like a bare server in the same process: by
 * the status, the headers and the bytes of the first one that the service compressed. Visits cost the process only what `node:http` does.
 */
type Head = [status: number, headers: string[]];

const emit = http.Server.prototype.emit;
let answer: { head: Head; body: string } | undefined;

/** Keeps the answer that the service is about to send, when it is a compressed one. */
function keep(response: http.ServerResponse): void {
  let head: Head | undefined;
  const { writeHead, end } = response;
  response.writeHead = ((...given: Head) => {
    head = [given[0], [...given[1]]];
    return writeHead.apply(response, given);
  }) as typeof writeHead;
  response.end = ((...given: [string, BufferEncoding]) => {
    if (head?.[1].includes('content-encoding') === true && typeof given[0] === 'string') {
      answer = { head, body: given[0] };
    }
    return end.apply(response, given);
  }) as typeof end;
}

function emitVisit(this: http.Server, event: string, ...given: unknown[]): boolean {
  const [request, response] = given as [http.IncomingMessage, http.ServerResponse];
  if (event !== 'request' || request.url?.startsWith('/board/') !== true) {
    return emit.call(this, event, ...given);
  }
  if (answer === undefined) {
    keep(response);
    return emit.call(this, event, ...given);
  }
  response.writeHead(...answer.head).end(answer.body, 'latin1');
  return true;
}

// The threads of the service load this module, too.
if (isMainThread) {
  http.Server.prototype.emit = emitVisit as typeof emit;
}
