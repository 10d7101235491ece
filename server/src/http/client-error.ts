import type { IncomingMessage, ServerResponse } from 'node:http';
import type { Socket } from 'node:net';
import { DomainError, type ErrorCode } from '../domain/errors.ts';
import { mayAnswerFault, noteTimeout } from './connections.ts';
import { describeError, errorBody } from './errors.ts';
import { createRequestIds } from './request-id.ts';

const CODES: ReadonlyMap<string | undefined, ErrorCode> = new Map<string | undefined, ErrorCode>([
  ['HPE_HEADER_OVERFLOW', 'headers_too_large'],
  ['ERR_HTTP_REQUEST_TIMEOUT', 'request_timeout'],
]);

const nextRequestId = createRequestIds();

/** Answers a request whose `Expect` header is not supported. */
export function answerExpectation(_request: IncomingMessage, response: ServerResponse): void {
  const { status, message } = describeError(new DomainError('expectation_failed'));
  const headers = {
    'content-type': 'application/json; charset=utf-8',
    'x-request-id': nextRequestId(),
    connection: 'close',
  };
  response.writeHead(status, headers).end(JSON.stringify(errorBody('enveloped', status, message)));
}

/**
 * Answers bytes that Node could not parse as a request, and closes the connection. There is no route yet, so the shape is the
 * common one.
 */
export function answerClientError(error: NodeJS.ErrnoException, socket: Socket): void {
  if (error.code === 'ECONNRESET' || !socket.writable) {
    socket.destroy();
    return;
  }
  // While an earlier request waits for its answer, anything written here would be taken for that answer.
  if (!mayAnswerFault(socket)) {
    socket.destroySoon();
    return;
  }
  const code = CODES.get(error.code);
  const { status, message } = describeError(
    code === undefined
      ? new DomainError('invalid_input', { detail: 'the request could not be read' })
      : new DomainError(code),
  );
  const body = JSON.stringify(errorBody('enveloped', status, message));
  const id = (code === 'request_timeout' ? noteTimeout(socket) : undefined) ?? nextRequestId();
  socket.end(
    `HTTP/1.1 ${status} \r\ncontent-type: application/json; charset=utf-8\r\n` +
      `content-length: ${Buffer.byteLength(body)}\r\nx-request-id: ${id}\r\nconnection: close\r\n\r\n${body}`,
  );
  // `end` alone leaves the other direction open: the client could keep the descriptor, and complete a request that was answered
  // with 408. A client that does not read the answer is disconnected like any other, see connections.ts.
  socket.destroySoon();
}
