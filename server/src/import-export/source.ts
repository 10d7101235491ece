import { readCsv } from './csv.ts';
import type { Format } from './export.ts';
import { readJsonArray } from './json-array.ts';
import { type KindName, kindOf } from './kinds.ts';
import { type ByteSource, type ItemSource, RECORD_BYTES_MAX, readNdjson } from './lines.ts';

const CHARACTER_BYTES_MAX = 4;

const EXTENSIONS: ReadonlyMap<string, Format> = new Map([
  ['.json', 'json'],
  ['.ndjson', 'ndjson'],
  ['.jsonl', 'ndjson'],
  ['.csv', 'csv'],
]);

/** Reads records in a given format. */
export function readSource(bytes: ByteSource, format: Format, kind: KindName): ItemSource {
  switch (format) {
    case 'json':
      return readJsonArray(bytes);
    case 'ndjson':
      return readNdjson(bytes);
    case 'csv':
      return readCsv(bytes, kindOf(kind).columns);
  }
}

export function formatOfFile(file: string): Format | undefined {
  const dot = file.lastIndexOf('.');
  return dot === -1 ? undefined : EXTENSIONS.get(file.slice(dot).toLowerCase());
}

/**
 * Detects the format by the first character that is not blank, for input without a file name. Returns all bytes
 * again.
 */
export async function sniffFormat(bytes: ByteSource): Promise<{ format: Format; bytes: ByteSource }> {
  const iterator = bytes[Symbol.asyncIterator]();
  let head = Buffer.alloc(0);
  // A pipe may deliver little at a time: one byte of a character, or only a line break.
  let next = await iterator.next();
  while (next.done !== true && !isEnough(head)) {
    head = Buffer.concat([head, next.value]);
    next = await iterator.next();
  }
  async function* whole(): AsyncGenerator<Uint8Array> {
    try {
      yield head;
      for (; next.done !== true; next = await iterator.next()) {
        yield next.value;
      }
    } finally {
      // When the reader stops early, the source is closed too; standard input would keep the process alive.
      await iterator.return?.();
    }
  }
  return { format: formatOfText(firstText(head)), bytes: whole() };
}

function isEnough(head: Buffer): boolean {
  return head.length > RECORD_BYTES_MAX || (head.length >= CHARACTER_BYTES_MAX && firstText(head) !== '');
}

function firstText(head: Buffer): string {
  return head.toString().replace('\uFEFF', '').trimStart();
}

function formatOfText(text: string): Format {
  return text.startsWith('[') ? 'json' : text.startsWith('{') || text === '' ? 'ndjson' : 'csv';
}
