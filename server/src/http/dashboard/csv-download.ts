import { Readable } from 'node:stream';
import { DomainError } from '../../domain/errors.ts';
import type { Clock } from '../../domain/ports.ts';
import { inPieces } from '../../import-export/export.ts';
import type { Answer } from '../answer.ts';
import type { Lifetimes } from '../lifetimes.ts';
import type { HttpRequest } from '../request.ts';

/** Exports at one time, in all and per guild. The limit per guild leaves places for the other guilds. */
const AT_ONCE_MAX = 8;
const PER_GUILD_MAX = 2;
const RETRY_AFTER_SECONDS = 5;
/**
 * An export whose client left early occupies its guild's place for this much longer. Otherwise a client that begins exports and leaves
 * at once would make the store begin ten a second.
 */
const ABANDONED_MS = 2_000;

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
  /** Called when the export has a place. */
  readRows: () => Promise<AsyncIterable<string>>;
}

export interface CsvDownloads {
  /** Answers with rows as a file, as fast as the client reads them. Ends when the client disconnects. */
  answer(request: HttpRequest, download: CsvDownload): Promise<Answer>;
}

interface CsvDownloadParts {
  lifetimes: Pick<Lifetimes, 'holdStream'>;
  clock: Pick<Clock, 'monotonicMs'>;
}

export function createCsvDownloads(
  { lifetimes, clock }: CsvDownloadParts,
  limits: ExportLimits = LIMITS,
): CsvDownloads {
  const underWay = createPlaces(clock);
  return {
    async answer(request, { guildId, fileName, readRows }) {
      const leave = underWay.enter(guildId);
      const rows = await readRows().catch((error) => {
        leave({ isAbandoned: false });
        throw error;
      });
      const { text, takeLength } = measure(inPieces(rows));
      const body = Readable.from(text, { objectMode: false });
      const stopWatching = watchTaking(body, takeLength, limits);
      body.once('close', () => {
        stopWatching();
        // The answer to HEAD reads no rows.
        leave({ isAbandoned: !body.readableEnded && request.raw.method !== 'HEAD' });
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
function createPlaces(clock: Pick<Clock, 'monotonicMs'>) {
  const byGuild = new Map<string, number>();
  /** Places of abandoned exports, in the order in which their guilds get them back. */
  const abandoned: { guildId: string; untilMs: number }[] = [];
  let total = 0;

  function leaveGuild(guildId: string): void {
    const left = (byGuild.get(guildId) ?? 1) - 1;
    if (left === 0) {
      byGuild.delete(guildId);
    } else {
      byGuild.set(guildId, left);
    }
  }

  function giveAbandonedBack(): void {
    const nowMs = clock.monotonicMs();
    while (abandoned[0] !== undefined && abandoned[0].untilMs <= nowMs) {
      leaveGuild(abandoned[0].guildId);
      abandoned.shift();
    }
  }

  return {
    /** Takes a place, or throws `overloaded`. Returns a function that gives it back. */
    enter(guildId: string): (end: { isAbandoned: boolean }) => void {
      giveAbandonedBack();
      const own = byGuild.get(guildId) ?? 0;
      if (total >= AT_ONCE_MAX || own >= PER_GUILD_MAX) {
        throw new DomainError('overloaded', { retryAfterSeconds: RETRY_AFTER_SECONDS });
      }
      total += 1;
      byGuild.set(guildId, own + 1);
      return ({ isAbandoned }) => {
        total -= 1;
        if (isAbandoned) {
          abandoned.push({ guildId, untilMs: clock.monotonicMs() + ABANDONED_MS });
        } else {
          leaveGuild(guildId);
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
