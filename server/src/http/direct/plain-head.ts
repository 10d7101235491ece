/** Headers that make a request without a body anything but plain. */
const UNUSUAL: ReadonlySet<string> = new Set(['content-length', 'transfer-encoding']);

const NO_KEY = '';

/**
 * The key among the raw headers of a request without a body, or an empty text; undefined when the request is not plain: no
 * host, two keys, a body after all. Reading them as they came saves making an object of all headers, of which only this
 * is needed.
 */
export function readPlainKey(rawHeaders: readonly string[]): string | undefined {
  let key = NO_KEY;
  let hasHost = false;
  for (let index = 0; index < rawHeaders.length; index += 2) {
    const name = (rawHeaders[index] ?? '').toLowerCase();
    if (name === 'host') {
      hasHost = true;
    } else if (name === 'x-api-key') {
      if (key !== NO_KEY) {
        return undefined;
      }
      key = rawHeaders[index + 1] ?? NO_KEY;
    } else if (UNUSUAL.has(name)) {
      return undefined;
    }
  }
  return hasHost ? key : undefined;
}
