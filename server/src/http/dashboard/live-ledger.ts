import { Readable } from 'node:stream';
import type { BaseLogger } from 'pino';
import { DomainError } from '../../domain/errors.ts';
import type { LedgerHistory } from '../../domain/ledger/history.ts';
import type { GuildRef } from '../../domain/model.ts';
import type { Clock } from '../../domain/ports.ts';
import type { Lifetimes } from '../lifetimes.ts';
import type { HttpRequest } from '../request.ts';

/** Streams of this process altogether, and of one person: a browser has one for each guild that it shows. */
const STREAMS_MAX = 1_000;
export const STREAMS_PER_PERSON_MAX = 5;
/** How often watched ledgers are looked at. Nobody waits longer than a second for what another instance posted. */
const LOOK_MS = 150;
/** How often session and role are looked at again. */
export const RECHECK_MS = 5_000;
/** Proxies end connections on which nothing is sent; most wait half a minute at least. */
const HEARTBEAT_MS = 15_000;
/** An event and not a comment, so that pages notice when a proxy keeps what is sent to itself. */
const ALIVE = 'event: alive\ndata: 1\n\n';
/** Players named in one event; of more it says so. */
const NAMED_MAX = 100;
/** Browsers come back after this long, and a random part of it longer, so that they do not all come at once. */
const RETRY_MS = 1_000;
const FULL_RETRY_SECONDS = 30;

export interface LiveLedgerParts {
  ledgerHistory: Pick<LedgerHistory, 'feed' | 'lastNumber'>;
  clock: Clock;
  logger: BaseLogger;
  lifetimes: Lifetimes;
  isStopping: () => boolean;
}

export interface WatchOrder {
  guild: GuildRef;
  chatId: string;
  /** The last number seen; without it only what comes from now on is told. */
  after: number | undefined;
  /** Fails once the person may not watch any more. */
  recheck: () => Promise<void>;
}

export interface LiveLedger {
  /** A stream of events that tells when the guild's ledger grows, until the client goes away or may not watch any more. */
  watch(request: HttpRequest, order: WatchOrder): Promise<Readable>;
}

interface Watcher extends Omit<WatchOrder, 'after'> {
  stream: Readable;
  /** Everything up to this number has been told. */
  position: number;
  checkedAtMs: number;
  sentAtMs: number;
}

/**
 * Tells browsers that a ledger has grown. Ledgers that somebody watches are looked at a few times a second, each once for all
 * who watch it; this notices what other instances post, too, on either store. While nobody watches, nothing runs.
 */
export function createLiveLedger(parts: LiveLedgerParts): LiveLedger {
  const { ledgerHistory, clock, logger } = parts;
  const watchers = new Set<Watcher>();
  let isAboutToLook = false;

  /** One look after the other, however long one takes. */
  function lookLater(): void {
    if (isAboutToLook) {
      return;
    }
    isAboutToLook = true;
    setTimeout(async () => {
      await lookOnce().catch((error) => logger.warn({ err: error }, 'watched ledgers cannot be looked at'));
      isAboutToLook = false;
      if (watchers.size > 0) {
        lookLater();
      }
    }, LOOK_MS).unref();
  }

  async function lookOnce(): Promise<void> {
    if (parts.isStopping()) {
      watchers.forEach(end);
      return;
    }
    const byGuild = Map.groupBy(watchers, ({ guild }) => guild.guildNo);
    await Promise.all(Array.from(byGuild.values(), tellNews));
    const nowMs = clock.monotonicMs();
    for (const watcher of watchers) {
      recheckSometimes(watcher, nowMs);
      if (nowMs - watcher.sentAtMs >= HEARTBEAT_MS) {
        send(watcher, ALIVE);
      }
    }
  }

  async function tellNews(ofGuild: Watcher[]): Promise<void> {
    const [{ guild } = { guild: undefined }] = ofGuild;
    if (guild === undefined) {
      return;
    }
    const last = await ledgerHistory.lastNumber(guild);
    const texts = new Map<number, string>();
    for (const watcher of ofGuild) {
      const { position } = watcher;
      if (position >= last) {
        continue;
      }
      // Nearly always all have seen the same, so that one text does for all.
      const text = texts.get(position) ?? (await describeNews(guild, position, last));
      texts.set(position, text);
      // A client that has not taken what was sent before hears of everything later, in one event.
      if (send(watcher, text)) {
        watcher.position = last;
      }
    }
  }

  async function describeNews(guild: GuildRef, after: number, last: number): Promise<string> {
    const entries = await ledgerHistory.feed(guild, { after, limit: NAMED_MAX });
    const count = last - after;
    const playerIds = count > NAMED_MAX ? null : [...new Set(entries.map(({ playerId }) => playerId))];
    return `id: ${last}\nevent: transactions\ndata: ${JSON.stringify({ count, playerIds })}\n\n`;
  }

  function recheckSometimes(watcher: Watcher, nowMs: number): void {
    if (nowMs - watcher.checkedAtMs >= RECHECK_MS) {
      watcher.checkedAtMs = nowMs;
      // A session that has ended, a role that is gone, a platform that does not answer any more: none of them may go on.
      watcher.recheck().catch(() => end(watcher));
    }
  }

  /** At most one event waits to be taken; the server disconnects a client that takes nothing for half a minute. */
  function send(watcher: Watcher, text: string): boolean {
    if (watcher.stream.readableLength > 0) {
      return false;
    }
    watcher.stream.push(text);
    watcher.sentAtMs = clock.monotonicMs();
    return true;
  }

  function end({ stream }: Watcher): void {
    stream.push(null);
  }

  function assertRoom(chatId: string): void {
    if (watchers.size >= STREAMS_MAX) {
      throw new DomainError('overloaded', { retryAfterSeconds: FULL_RETRY_SECONDS });
    }
    const own = [...watchers].filter((watcher) => watcher.chatId === chatId);
    if (own.length >= STREAMS_PER_PERSON_MAX) {
      throw new DomainError('rate_limited', {
        detail: `${STREAMS_PER_PERSON_MAX} live streams for one person`,
        retryAfterSeconds: FULL_RETRY_SECONDS,
      });
    }
  }

  return {
    async watch(request, { after, ...order }) {
      const last = await ledgerHistory.lastNumber(order.guild);
      assertRoom(order.chatId);
      const stream = new Readable({ read() {} });
      const nowMs = clock.monotonicMs();
      // A number that the ledger has not reached is from another one, before a restored backup.
      const position = Math.min(after ?? last, last);
      const watcher: Watcher = { ...order, stream, position, checkedAtMs: nowMs, sentAtMs: nowMs };
      watchers.add(watcher);
      stream.once('close', () => watchers.delete(watcher));
      parts.lifetimes.holdStream(request, 'live_stream', stream);
      stream.push(`retry: ${RETRY_MS + Math.floor(Math.random() * RETRY_MS)}\n\n`);
      lookLater();
      return stream;
    },
  };
}
