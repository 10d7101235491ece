import type { IncomingMessage, ServerResponse } from 'node:http';
import { DomainError } from '../domain/errors.ts';

/** A request under way, from its head to its answer. */
export interface HttpRequest {
  /** Names the request in logs and in the header `x-request-id`. */
  readonly id: string;
  readonly raw: IncomingMessage;
  readonly response: ServerResponse;
  readonly startMs: number;
  /** The parameters of the path, decoded. */
  readonly params: Readonly<Record<string, string | undefined>>;
  /** The query string as it was sent, without the question mark. */
  readonly queryText: string;
  /** The headers of the answer so far, names and values in turn. */
  readonly answerHeaders: string[];
  /** The caller, as the route's access check identified it. */
  who: unknown;
  /** The hash of the request's key, once it was computed; undefined for a malformed key. */
  keyHash: string | undefined;
  /** When its key was checked last; 0 before that. */
  checkedAtMs: number;
  /** Why it was refused, once it was. */
  refusal: DomainError | undefined;
  /** The body, once it is complete. Undefined on routes that read it as a stream. */
  body: Buffer | undefined;
  /** Called when its body is complete or refused. Set where bodies are counted. */
  releaseBody: (() => void) | undefined;
  /** Called when a streamed answer begins. Set where the requests of a person are counted. */
  releaseWork: (() => void) | undefined;
  /** True once its handler may have begun. Set where the requests of a person are counted. */
  isAtWork: boolean;
  /** True once it has held something that lifetimes.ts releases at its end. */
  isHolding: boolean;
}

/** Refuses heads that a proxy may interpret differently. Node's parser accepts them, or refuses them in another format than ours. */
export function requireClearHead({ raw, answerHeaders }: HttpRequest): void {
  const { host, 'transfer-encoding': transferEncoding } = raw.headers;
  if (host === undefined && raw.httpVersion === '1.1') {
    throw new DomainError('invalid_input', { detail: 'the host header is missing' });
  }
  // Node joins repeated headers with a comma, see http-server.ts.
  if (host?.includes(',')) {
    answerHeaders.push('connection', 'close');
    throw new DomainError('invalid_input', { detail: 'there is more than one host' });
  }
  if (transferEncoding !== undefined && transferEncoding.toLowerCase() !== 'chunked') {
    answerHeaders.push('connection', 'close');
    throw new DomainError('invalid_input', { detail: 'the only transfer encoding is chunked' });
  }
}
