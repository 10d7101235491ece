import { Readable } from 'node:stream';
import { DomainError } from '../../domain/errors.ts';
import { inPieces } from '../../import-export/export.ts';
import type { Answer } from '../answer.ts';
import type { HttpRequest } from '../request.ts';

/** Each holds a connection to the store and its view of one moment, so that there can only be so many. */
const DOWNLOADS_AT_ONCE_MAX = 8;
const RETRY_AFTER_SECONDS = 5;
/** A browser that takes nothing for so long is given up, and the store's moment with it. */
const STALLED_MS = 60_000;

export interface CsvDownloads {
  /** Answers with rows as a file, as fast as they are taken. When the browser goes away, the reading ends. */
  answer(request: HttpRequest, download: { fileName: string; rows: AsyncIterable<string> }): Answer;
}

export function createCsvDownloads(): CsvDownloads {
  let underWay = 0;
  return {
    answer(request, { fileName, rows }) {
      if (underWay >= DOWNLOADS_AT_ONCE_MAX) {
        throw new DomainError('overloaded', { retryAfterSeconds: RETRY_AFTER_SECONDS });
      }
      request.raw.socket.setTimeout?.(STALLED_MS);
      const body = Readable.from(inPieces(rows), { objectMode: false });
      underWay += 1;
      body.once('close', () => {
        underWay -= 1;
      });
      return {
        body,
        contentType: 'text/csv; charset=utf-8; header=present',
        headers: ['content-disposition', `attachment; filename="${asciiName(fileName)}"`],
      };
    },
  };
}

/** Ids may hold anything; a file's name here holds letters, digits and a few marks. */
function asciiName(name: string): string {
  return name.replaceAll(/[^\w.-]+/g, '_');
}
