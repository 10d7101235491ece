import { brotliCompressSync, constants, gzipSync } from 'node:zlib';
import acceptNegotiator from '@fastify/accept-negotiator';
import type { Body } from './answer.ts';
import type { Route } from './endpoint.ts';
import type { HttpRequest } from './request.ts';

export type Encoding = 'br' | 'gzip';

/** Fast enough for every answer: 60 kB take a millisecond. */
const QUICK_QUALITY = 4;
/**
 * Shorter answers fit into one packet, compressed or not. The session's answer is shorter too: its CSRF token must not be compressed
 * together with anything that a third party chooses.
 */
const BYTES_MIN = 1_400;
/** Longer answers would hold up other requests. */
const BYTES_MAX = 1_000_000;

/** The encoding for an answer by what the client accepts; undefined for none. */
export function chooseEncoding({ raw }: HttpRequest): Encoding | undefined {
  return acceptNegotiator<Encoding>(raw.headers['accept-encoding'] ?? '', ['br', 'gzip']) ?? undefined;
}

/** The quality is that of Brotli, up to 11. */
export function compress(content: string | Buffer, encoding: Encoding, quality = QUICK_QUALITY): Buffer {
  const params = { [constants.BROTLI_PARAM_QUALITY]: quality };
  return encoding === 'br' ? brotliCompressSync(content, { params }) : gzipSync(content);
}

/** True for the routes whose answers are compressed: those that pages of the dashboard read. Bots get theirs as they are. */
export function isCompressed({ access, method }: Partial<Pick<Route, 'access' | 'method'>>): boolean {
  return access === 'session' && method === 'GET';
}

/** The body that goes out, and the headers that say how. */
export function compressForClient(request: HttpRequest, body: Body): { body: Body; headers: string[] } {
  const vary = ['vary', 'accept-encoding'];
  const isFitting = body.length >= BYTES_MIN && body.length <= BYTES_MAX;
  const encoding = isFitting ? chooseEncoding(request) : undefined;
  if (encoding === undefined) return { body, headers: vary };
  const content = compress(body.content, encoding);
  return { body: { content, length: content.length }, headers: [...vary, 'content-encoding', encoding] };
}
