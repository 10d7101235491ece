import { MIMEType } from 'node:util';
import { DomainError } from '../domain/errors.ts';
import { hasBody } from './body-deadline.ts';
import { isTimedOut } from './connections.ts';
import type { HttpRequest } from './request.ts';

/** Larger bodies are refused, unless the route has another limit. */
export const BODY_BYTES_MAX = 16 * 1024;

export interface BodyOptions {
  /** The only media type that is accepted. */
  mediaType: string;
  bytesMax: number;
  /** The handler reads the body as it arrives; nothing collects it. */
  isStreamed: boolean;
}

/** Called once: without an error when the body is complete, with one when it is refused. */
export type OnBody = (request: HttpRequest, error?: DomainError) => void;

/** Collects the body of a request into `request.body`. A request without one is complete at once. */
export function collectBody(
  request: HttpRequest,
  { mediaType, bytesMax, isStreamed }: BodyOptions,
  onBody: OnBody,
): void {
  const { raw } = request;
  const contentType = raw.headers['content-type'];
  if (contentType === undefined && !hasBody(raw)) {
    onBody(request);
  } else if (contentType === undefined || !isOfType(contentType, mediaType)) {
    const detail = mediaType === JSON_MEDIA_TYPE ? undefined : mediaType;
    onBody(request, new DomainError('unsupported_media_type', detail === undefined ? {} : { detail }));
  } else if (isStreamed) {
    askForBody(request);
    onBody(request);
  } else if (Number(raw.headers['content-length']) > bytesMax) {
    refuseRest(request, new DomainError('body_too_large'), onBody);
  } else {
    askForBody(request);
    collect(request, bytesMax, onBody);
  }
}

/** Sends `100 Continue` to a client that waits for it, once the head is accepted. A refused client need not send its body. */
function askForBody({ raw, response }: HttpRequest): void {
  // Clients of HTTP/1.0 do not know the answer. Other expectations do not get here.
  if (raw.headers.expect !== undefined && raw.httpVersion === '1.1') {
    response.writeContinue();
  }
}

export const JSON_MEDIA_TYPE = 'application/json';

function isOfType(contentType: string, mediaType: string): boolean {
  if (contentType === mediaType) {
    return true;
  }
  try {
    return new MIMEType(contentType).essence === mediaType;
  } catch {
    return false;
  }
}

function collect(request: HttpRequest, bytesMax: number, onBody: OnBody): void {
  const { raw } = request;
  const chunks: Buffer[] = [];
  let length = 0;

  function onData(chunk: Buffer): void {
    length += chunk.length;
    if (length > bytesMax) {
      end();
      refuseRest(request, new DomainError('body_too_large'), onBody);
      return;
    }
    chunks.push(chunk);
  }

  function onEnd(): void {
    end();
    request.body = Buffer.concat(chunks, length);
    onBody(request);
  }

  function onError(cause: Error): void {
    end();
    // The connection is closed: these errors are only counted and logged. After a timeout the answer was written before.
    const error = isTimedOut(raw)
      ? new DomainError('request_timeout', { cause })
      : new DomainError('invalid_input', { detail: 'the request could not be read', cause });
    refuseRest(request, error, onBody);
  }

  function end(): void {
    raw.removeListener('data', onData);
    raw.removeListener('end', onEnd);
    raw.removeListener('error', onError);
  }

  raw.on('data', onData);
  raw.on('end', onEnd);
  raw.on('error', onError);
}

/** Closes the connection with the refusal, because the rest of the body would be parsed as another request. */
function refuseRest(request: HttpRequest, error: DomainError, onBody: OnBody): void {
  request.answerHeaders.push('connection', 'close');
  onBody(request, error);
}
