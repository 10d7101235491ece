import { type ByteSource, parseJsonText, RECORD_BYTES_MAX, type SourceItem } from './lines.ts';

const QUOTE = 0x22;
const BACKSLASH = 0x5c;
const COMMA = 0x2c;
const LINE_FEED = 0x0a;
const OPENING = new Set([0x5b, 0x7b]);
const CLOSING = new Set([0x5d, 0x7d]);
const OPENING_BRACKET = 0x5b;
const CLOSING_BRACKET = 0x5d;
const BLANK = new Set([0x20, 0x09, 0x0a, 0x0d, 0xef, 0xbb, 0xbf]);

/**
 * Reads a JSON array of any length, one element at a time. It only follows quotes and brackets to find the end of an
 * element, and leaves parsing to JSON.parse. Elements are numbered by the line they begin on.
 */
export async function* readJsonArray(source: ByteSource): AsyncGenerator<SourceItem[]> {
  const scanner = createScanner();
  for await (const chunk of source) {
    const items: SourceItem[] = [];
    for (const byte of chunk) {
      const item = scanner.take(byte);
      if (item !== undefined) {
        items.push(item);
      }
      if (scanner.isBroken()) {
        break;
      }
    }
    yield items;
    if (scanner.isBroken()) {
      return;
    }
  }
  const last = scanner.finish();
  if (last !== undefined) {
    yield [last];
  }
}

type State = 'before' | 'inside' | 'after' | 'broken';

function createScanner() {
  let state: State = 'before';
  let element = createElement();
  let line = 1;
  let count = 0;

  function fail(fault: string): SourceItem {
    state = 'broken';
    return { line, text: '', fault };
  }

  function takeInside(byte: number): SourceItem | undefined {
    if (element.depth === 0 && !element.isInString && (byte === COMMA || byte === CLOSING_BRACKET)) {
      const item = element.finish();
      element = createElement();
      const isEnd = byte === CLOSING_BRACKET;
      // An empty element before a comma is an error; before the end it is allowed only in an empty array.
      const isGap = item === undefined && (!isEnd || count > 0);
      count += 1;
      state = isEnd ? 'after' : 'inside';
      return isGap ? { line, text: '', fault: 'an element is missing between commas' } : item;
    }
    element.take(byte, line);
    return undefined;
  }

  return {
    take(byte: number): SourceItem | undefined {
      if (byte === LINE_FEED) {
        line += 1;
      }
      if (state === 'inside') {
        return takeInside(byte);
      }
      if (BLANK.has(byte)) {
        return undefined;
      }
      if (state === 'before' && byte === OPENING_BRACKET) {
        state = 'inside';
        return undefined;
      }
      return fail(
        state === 'before' ? 'the file is not a JSON array' : 'there is more after the end of the array',
      );
    },
    isBroken: () => state === 'broken',
    /** A file that ends early gives an error, so that it does not count as complete. */
    finish(): SourceItem | undefined {
      return state === 'after' ? undefined : fail('the file ends before the array does');
    },
  };
}

function createElement() {
  const bytes: number[] = [];
  let firstLine: number | undefined;
  let isEscaped = false;
  let isTooLong = false;
  const element = {
    depth: 0,
    isInString: false,
    take(byte: number, line: number): void {
      if (firstLine === undefined && !BLANK.has(byte)) {
        firstLine = line;
      }
      follow(byte);
      isTooLong ||= bytes.length >= RECORD_BYTES_MAX;
      if (!isTooLong) {
        bytes.push(byte);
      }
    },
    finish(): SourceItem | undefined {
      if (firstLine === undefined) {
        return undefined;
      }
      return isTooLong
        ? { line: firstLine, text: '', fault: `the element is longer than ${RECORD_BYTES_MAX} bytes` }
        : parseJsonText(firstLine, Buffer.from(bytes));
    },
  };

  function follow(byte: number): void {
    if (element.isInString) {
      if (isEscaped) {
        isEscaped = false;
      } else if (byte === BACKSLASH) {
        isEscaped = true;
      } else if (byte === QUOTE) {
        element.isInString = false;
      }
    } else if (byte === QUOTE) {
      element.isInString = true;
    } else if (OPENING.has(byte)) {
      element.depth += 1;
    } else if (CLOSING.has(byte)) {
      element.depth -= 1;
    }
  }

  return element;
}
