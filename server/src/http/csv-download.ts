import { Readable } from 'node:stream';
import type { FastifyReply } from 'fastify';
import { DomainError } from '../domain/errors.ts';
import { inPieces } from '../exchange/export.ts';

/** Each holds a connection to the store and its view of one moment, so that there can only be so many. */
const DOWNLOADS_AT_ONCE_MAX = 8;
const RETRY_AFTER_SECONDS = 5;
/** A browser that takes nothing for so long is given up, and the store's moment with it. */
const STALLED_MS = 60_000;

export type SendCsv = (
  reply: FastifyReply,
  download: { fileName: string; rows: AsyncIterable<string> },
) => FastifyReply;

/** Sends rows as a file, as fast as they are taken. When the browser goes away, the reading ends. */
export function createCsvDownloads(): SendCsv {
  let underWay = 0;
  return (reply, { fileName, rows }) => {
    if (underWay >= DOWNLOADS_AT_ONCE_MAX) {
      throw new DomainError('overloaded', { retryAfterSeconds: RETRY_AFTER_SECONDS });
    }
    reply.request.raw.socket.setTimeout?.(STALLED_MS);
    reply.headers({
      'content-type': 'text/csv; charset=utf-8; header=present',
      'content-disposition': `attachment; filename="${asciiName(fileName)}"`,
    });
    const file = Readable.from(inPieces(rows), { objectMode: false });
    underWay += 1;
    file.once('close', () => {
      underWay -= 1;
    });
    return reply.send(file);
  };
}

/** Ids may hold anything; a file's name here holds letters, digits and a few marks. */
function asciiName(name: string): string {
  return name.replaceAll(/[^\w.-]+/g, '_');
}
