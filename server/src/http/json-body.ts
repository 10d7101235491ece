import { isUtf8 } from 'node:buffer';
import { DomainError } from '../domain/errors.ts';

/** Parses a body as JSON in UTF-8. An empty body counts as absent. */
export function parseJson(bytes: Buffer): unknown {
  if (bytes.length === 0) {
    return undefined;
  }
  try {
    if (!isUtf8(bytes)) {
      throw new SyntaxError('the body is not UTF-8');
    }
    return JSON.parse(bytes.toString());
  } catch (error) {
    throw new DomainError('malformed_json', { cause: error });
  }
}
