import fc from 'fast-check';
import type { ByteSource, ItemSource, SourceItem } from '../../src/import-export/lines.ts';

/** Bytes as they come from a file or a socket: in the given pieces. */
export async function* bytesOf(...pieces: (string | Uint8Array)[]): ByteSource {
  for (const piece of pieces) {
    yield typeof piece === 'string' ? Buffer.from(piece) : piece;
  }
}

/** Cuts bytes at the given places, which may lie anywhere, inside of a character too; or into single bytes. */
export function cutAt(bytes: Uint8Array, places: Cuts): Uint8Array[] {
  if (places === 'everywhere') {
    return Array.from(bytes, (byte) => Uint8Array.of(byte));
  }
  const cuts = places.map((place) => place % (bytes.length + 1)).sort((a, b) => a - b);
  return [...cuts, bytes.length].map((end, index) => bytes.subarray(cuts[index - 1] ?? 0, end));
}

type Cuts = readonly number[] | 'everywhere';

/** Places to cut at: none, a few, or after every byte. */
export const CUTS: fc.Arbitrary<Cuts> = fc.oneof(
  { weight: 4, arbitrary: fc.array(fc.nat(10_000), { maxLength: 12 }) },
  { weight: 1, arbitrary: fc.constant('everywhere' as const) },
);

/** Characters that take one to four bytes, and those that formats are made of. */
export const TRICKY_TEXT = fc
  .array(
    fc.constantFrom(
      'a',
      ' ',
      '"',
      ',',
      '\\',
      '\n',
      '\r',
      '[',
      ']',
      '{',
      '}',
      ':',
      'é',
      '€',
      '\u05d0',
      '\u0634',
      '🪙',
      "'",
      '\t',
    ),
    { maxLength: 12 },
  )
  .map((characters) => characters.join(''));

export async function gather<Item>(items: AsyncIterable<Item>): Promise<Item[]> {
  const all: Item[] = [];
  for await (const item of items) {
    all.push(item);
  }
  return all;
}

/** Like `gather`, for items that come in groups. */
export function gatherGroups<Item>(groups: AsyncIterable<readonly Item[]>): Promise<Item[]> {
  return gather(oneByOne(groups));
}

export async function* oneByOne<Item>(groups: AsyncIterable<readonly Item[]>): AsyncGenerator<Item> {
  for await (const group of groups) {
    yield* group;
  }
}

/** A source that gives one record at a time. */
export async function* singly(items: AsyncIterable<SourceItem>): ItemSource {
  for await (const item of items) {
    yield [item];
  }
}

/** The short form of what was read: line and value, or line and fault. */
export function brief(items: readonly SourceItem[]): [number, unknown][] {
  return items.map((item) => [item.line, 'fault' in item ? item.fault : item.value]);
}
