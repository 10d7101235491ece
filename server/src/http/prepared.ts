import { hash } from 'node:crypto';
import { type Answer, bytesBody } from './answer.ts';
import { chooseEncoding, compress, type Encoding } from './compress.ts';
import type { HttpRequest } from './request.ts';

/** Above this quality the compression of a long text takes a second, and saves two per cent. */
const QUALITY = 6;

/** An answer that is ready to be sent to any number of visitors. */
export interface Prepared {
  readonly byteLength: number;
  answer(request: HttpRequest): Answer;
}

export interface PreparedContent {
  content: string | Buffer;
  contentType: string;
  /** Headers of the answer and of a 304, names and values in turn. */
  headers: readonly string[];
}

/** A text that is compressed at the first request that accepts it, or a picture, which is never compressed. */
export function prepare({ content, contentType, headers }: PreparedContent): Prepared {
  const bytes = Buffer.from(content);
  const isText = typeof content === 'string';
  // Weak, because the compressed forms have the same tag.
  const tag = `W/"${hash('sha256', bytes, 'base64url').slice(0, 22)}"`;
  const common = [...headers, 'etag', tag, ...(isText ? ['vary', 'accept-encoding'] : [])];
  const same: Answer = { status: 304, body: { content: '', length: 0 }, headers: common };
  const whole: Answer = { body: bytesBody(bytes), contentType, headers: common };
  const compressed = new Map<Encoding, Answer>();

  function compressOnce(encoding: Encoding): Answer {
    const body = bytesBody(compress(bytes, encoding, QUALITY));
    const answer: Answer = { body, contentType, headers: [...common, 'content-encoding', encoding] };
    compressed.set(encoding, answer);
    return answer;
  }

  return {
    byteLength: bytes.length,
    answer(request) {
      const { 'if-none-match': known, 'accept-encoding': accepted } = request.raw.headers;
      if (known?.split(',').some((one) => one.trim() === tag) === true) {
        return same;
      }
      const encoding = isText && accepted !== undefined ? chooseEncoding(request) : undefined;
      return encoding === undefined ? whole : (compressed.get(encoding) ?? compressOnce(encoding));
    },
  };
}
