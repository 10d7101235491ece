import { isUtf8 } from 'node:buffer';

/** A record found in a file or a request, or the reason why it could not be parsed. */
export type SourceItem =
  | { line: number; text: string; value: unknown }
  | { line: number; text: string; fault: string };

export type ByteSource = AsyncIterable<Uint8Array>;

/** Records in the groups in which their bytes arrive. One at a time, the waits would take longer than the parsing. */
export type ItemSource = AsyncIterable<readonly SourceItem[]>;

/** Limit of one record. Without it a file without line breaks would fill the memory. */
export const RECORD_BYTES_MAX = 1024 * 1024;

const LINE_FEED = 0x0a;
const BYTE_ORDER_MARK = '\uFEFF';

/** Reads NDJSON: one JSON document per line. Blank lines are skipped; line numbers count them. */
export async function* readNdjson(source: ByteSource): AsyncGenerator<SourceItem[]> {
  let number = 0;
  for await (const lines of splitLines(source)) {
    const items: SourceItem[] = [];
    for (const line of lines) {
      number += 1;
      const item =
        line === undefined
          ? { line: number, text: '', fault: `the line is longer than ${RECORD_BYTES_MAX} bytes` }
          : parseJsonText(number, line);
      if (item !== undefined) {
        items.push(item);
      }
    }
    yield items;
  }
}

/** Parses the bytes of one record; undefined when they are only white space. */
export function parseJsonText(line: number, bytes: Buffer): SourceItem | undefined {
  if (!isUtf8(bytes)) {
    return { line, text: bytes.toString('latin1'), fault: 'the text is not UTF-8' };
  }
  const decoded = bytes.toString();
  const text = (line === 1 && decoded.startsWith(BYTE_ORDER_MARK) ? decoded.slice(1) : decoded).trim();
  if (text === '') {
    return undefined;
  }
  try {
    return { line, text, value: JSON.parse(text) };
  } catch {
    return { line, text, fault: 'the text is not JSON' };
  }
}

/**
 * Splits bytes at line feeds, and gives the lines that end in each piece of the source. A line that is too long gives
 * undefined, and its bytes are dropped as they arrive.
 */
export async function* splitLines(source: ByteSource): AsyncGenerator<(Buffer | undefined)[]> {
  let held: Uint8Array[] = [];
  let heldBytes = 0;
  let isTooLong = false;

  function hold(part: Uint8Array): void {
    heldBytes += part.length;
    if (heldBytes > RECORD_BYTES_MAX) {
      isTooLong = true;
      held = [];
    } else {
      held.push(part);
    }
  }

  function release(): Buffer | undefined {
    const line = isTooLong ? undefined : joined(held);
    held = [];
    heldBytes = 0;
    isTooLong = false;
    return line;
  }

  for await (const chunk of source) {
    const lines: (Buffer | undefined)[] = [];
    let start = 0;
    for (let end = chunk.indexOf(LINE_FEED); end !== -1; end = chunk.indexOf(LINE_FEED, start)) {
      hold(chunk.subarray(start, end));
      lines.push(release());
      start = end + 1;
    }
    if (start < chunk.length) {
      hold(chunk.subarray(start));
    }
    yield lines;
  }
  if (heldBytes > 0) {
    yield [release()];
  }
}

/** Most lines are within one piece of the source, which is not copied. */
function joined(parts: readonly Uint8Array[]): Buffer {
  const [first] = parts;
  return parts.length === 1 && Buffer.isBuffer(first) ? first : Buffer.concat(parts);
}
