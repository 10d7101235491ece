import { type Answer, unexpectedAnswer } from './parse-response.ts';
import type { ImportLine } from './schema.ts';

const BATCH_MAX = 500;
/** In characters. A batch of large records ends here, so that an attempt stays within its time limit. */
const BATCH_LENGTH_MAX = 1_000_000;

type SendLines = (body: string) => Promise<{ lines: ImportLine[]; answer: Answer }>;

/**
 * Sends records in requests of a few hundred lines. A single request would have to be sent and received at the same
 * time, which not every runtime can do, and would have to be repeated as a whole when its connection breaks.
 */
export async function* importBatches(
  records: Iterable<unknown> | AsyncIterable<unknown>,
  sendLines: SendLines,
): AsyncGenerator<ImportLine> {
  let [sent, count, text] = [0, 0, ''];
  const flush = async (): Promise<ImportLine[]> => {
    const { lines, answer } = await sendLines(text);
    if (lines.length !== count) {
      throw unexpectedAnswer(answer);
    }
    const before = sent;
    [sent, count, text] = [sent + count, 0, ''];
    return lines.map((line) => ({ ...line, line: before + line.line }));
  };
  for await (const record of records) {
    text += `${JSON.stringify(record)}\n`;
    count += 1;
    if (count >= BATCH_MAX || text.length >= BATCH_LENGTH_MAX) {
      yield* await flush();
    }
  }
  if (count > 0) {
    yield* await flush();
  }
}
