import { Readable } from 'node:stream';
import { DomainError } from '../../domain/errors.ts';
import { inPieces } from '../../import-export/export.ts';
import type { Answer } from '../answer.ts';
import type { Lifetimes } from '../lifetimes.ts';
import type { HttpRequest } from '../request.ts';

/** Exports at one time, in all and per guild. The limit per guild leaves places for the other guilds. */
const AT_ONCE_MAX = 8;
const PER_GUILD_MAX = 2;
const RETRY_AFTER_SECONDS = 5;

/** Time limits of an export. An export that exceeds one is aborted, which frees its place for others. */
export interface ExportLimits {
  /** The interval at which the rate is checked. */
  windowMs: number;
  /** The client must read at least this much in each window. */
  windowBytesMin: number;
  deadlineMs: number;
}

/** Sixteen kilobytes a second, and half an hour altogether. */
const LIMITS: ExportLimits = { windowMs: 15_000, windowBytesMin: 15 * 16_384, deadlineMs: 30 * 60_000 };

export interface CsvDownload {
  guildId: string;
  fileName: string;
  rows: AsyncIterable<string>;
}

export interface CsvDownloads {
  /** Answers with rows as a file, as fast as the client reads them. Ends when the client disconnects. */
  answer(request: HttpRequest, download: CsvDownload): Answer;
}

export function createCsvDownloads(
  lifetimes: Pick<Lifetimes, 'holdStream'>,
  limits: ExportLimits = LIMITS,
): CsvDownloads {
  const underWay = createPlaces();
  return {
    answer(request, { guildId, fileName, rows }) {
      const leave = underWay.enter(guildId);
      const { text, takeLength } = measure(inPieces(rows));
      const body = Readable.from(text, { objectMode: false });
      const stopWatching = watchTaking(body, takeLength, limits);
      body.once('close', () => {
        stopWatching();
        leave();
      });
      lifetimes.holdStream(request, 'export', body);
      return {
        body,
        contentType: 'text/csv; charset=utf-8; header=present',
        headers: ['content-disposition', `attachment; filename="${asciiName(fileName)}"`],
      };
    },
  };
}

/** Counts the exports under way, by guild and altogether. Has an entry for each guild with an export. */
function createPlaces() {
  const byGuild = new Map<string, number>();
  let total = 0;
  return {
    /** Takes a place, or throws `overloaded`. Returns a function that gives it back. */
    enter(guildId: string): () => void {
      const own = byGuild.get(guildId) ?? 0;
      if (total >= AT_ONCE_MAX || own >= PER_GUILD_MAX) {
        throw new DomainError('overloaded', { retryAfterSeconds: RETRY_AFTER_SECONDS });
      }
      total += 1;
      byGuild.set(guildId, own + 1);
      return () => {
        total -= 1;
        const left = (byGuild.get(guildId) ?? 1) - 1;
        if (left === 0) {
          byGuild.delete(guildId);
        } else {
          byGuild.set(guildId, left);
        }
      };
    },
  };
}

/** Counts the characters that go into a stream. */
function measure(text: AsyncIterable<string>) {
  let length = 0;
  async function* counted(): AsyncGenerator<string> {
    for await (const piece of text) {
      length += piece.length;
      yield piece;
    }
  }
  return {
    text: counted(),
    /** The characters since the last call. */
    takeLength(): number {
      const taken = length;
      length = 0;
      return taken;
    },
  };
}

/**
 * Aborts an export that the client reads too slowly or that lasts too long. An aborted connection shows the client that
 * the file is incomplete. Only while rows wait to be sent is the client too slow: a search that finds little is not its
 * fault.
 */
function watchTaking(
  body: Readable,
  takeLength: () => number,
  { windowMs, windowBytesMin, deadlineMs }: ExportLimits,
): () => void {
  const window = setInterval(() => {
    if (takeLength() < windowBytesMin && body.readableLength > 0) {
      body.destroy(
        new Error(`the export was taken too slowly: less than ${windowBytesMin} bytes in ${windowMs} ms`),
      );
    }
  }, windowMs).unref();
  const deadline = setTimeout(() => {
    body.destroy(new Error(`the export took longer than ${deadlineMs} ms`));
  }, deadlineMs).unref();
  return () => {
    clearInterval(window);
    clearTimeout(deadline);
  };
}

/** Ids may contain any character. A file name keeps letters, digits, `_`, `.` and `-`. */
function asciiName(name: string): string {
  return name.replaceAll(/[^\w.-]+/g, '_');
}
