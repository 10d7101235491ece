import { fieldOf } from './check-shape.ts';
import { type Answer, expectShape } from './parse-response.ts';

/** A page of a list. The cursor of the next page is null at the end. */
export interface CursorPage<Item> {
  items: Item[];
  nextCursor: string | null;
}

type Guard<Shape> = (value: unknown) => value is Shape;

/** A field of the answer's `data`. */
export function dataOf<Shape>(answer: Answer, name: string, isShape: Guard<Shape>): Shape {
  return expectShape(answer, fieldOf(fieldOf(answer.body, 'data'), name), isShape);
}

export function pageOf<Item>(answer: Answer, name: string, isItems: Guard<Item[]>): CursorPage<Item> {
  return { items: dataOf(answer, name, isItems), nextCursor: dataOf(answer, 'nextCursor', isNextCursor) };
}

/** All items of all pages. A page before the end may be empty. */
export async function* walk<Item>(
  readPage: (cursor: string | undefined) => Promise<CursorPage<Item>>,
): AsyncGenerator<Item> {
  let cursor: string | undefined;
  do {
    const { items, nextCursor } = await readPage(cursor);
    yield* items;
    cursor = nextCursor ?? undefined;
  } while (cursor !== undefined);
}

/** The cursor of a next page, or null at the end. */
function isNextCursor(value: unknown): value is string | null {
  return value === null || typeof value === 'string';
}
