import { Readable } from 'node:stream';
import type { BaseLogger } from 'pino';
import type { AuditLog } from '../../domain/audit-log.ts';
import { DomainError } from '../../domain/errors.ts';
import type { EntryStore } from '../../domain/ledger/entries.ts';
import type { LedgerHistory } from '../../domain/ledger/history.ts';
import type { GuildRef } from '../../domain/model.ts';
import type { Clock } from '../../domain/ports.ts';
import type { Lifetimes } from '../lifetimes.ts';
import type { HttpRequest } from '../request.ts';

/** Streams of this process altogether, and of one person: a browser has one for each guild that it shows. */
const STREAMS_MAX = 1_000;
export const STREAMS_PER_PERSON_MAX = 5;
/** The interval at which watched ledgers are read. Posts of other instances appear within a second. */
const LOOK_MS = 150;
/** The interval at which session and role are checked again. */
export const RECHECK_MS = 5_000;
/** Proxies end connections on which nothing is sent; most wait half a minute at least. */
const HEARTBEAT_MS = 15_000;
/** An event and not a comment, so that pages notice when a proxy buffers the stream. */
const ALIVE = 'event: alive\ndata: 1\n\n';
/** Something other than the ledger was changed. It does not say what: the pages ask for what they show. */
const CHANGES = 'event: changes\ndata: 1\n\n';
/** The audit log is looked at once in this number of looks at the ledgers. */
const LOOKS_PER_LOG_LOOK = 5;
/** Transactions in an event that names their players. With more, `playerIds` is null. */
const NAMED_MAX = 100;
/** Browsers reconnect after this time plus a random part of it, so that they do not all reconnect at once. */
const RETRY_MS = 1_000;
const FULL_RETRY_SECONDS = 30;

export interface LiveLedgerParts {
  ledgerHistory: Pick<LedgerHistory, 'feed' | 'lastNumber'>;
  entries: Pick<EntryStore, 'account'>;
  auditLog: Pick<AuditLog, 'lastEntryNo' | 'entryNoAfter'>;
  clock: Clock;
  logger: BaseLogger;
  lifetimes: Lifetimes;
  isStopping: () => boolean;
}

export interface WatchOrder {
  guild: GuildRef;
  chatId: string;
  /** Set for a stream of one account. It has the account's transactions alone, by their numbers within the account. */
  playerId: string | undefined;
  /** The last number that the client has seen; without it the stream begins with the next transaction. */
  after: number | undefined;
  /** Fails once the person may not watch any more. */
  recheck: () => Promise<void>;
}

export interface LiveLedger {
  /** A stream with an event each time the guild's ledger grows, or something else is changed. It ends when the client disconnects or loses its access. */
  watch(request: HttpRequest, order: WatchOrder): Promise<Readable>;
}

interface Watcher extends Omit<WatchOrder, 'after'> {
  stream: Readable;
  /** The ledger was looked at up to this number. */
  position: number;
  /** The transactions of the account that have been announced, for a stream of one account. */
  announced: number;
  /** Entries of the audit log up to this number have been announced. */
  entryNo: number;
  hasEnded: boolean;
  checkedAtMs: number;
  sentAtMs: number;
}

/** Transactions since a number, and their players; null when there are too many to name. */
interface News {
  count: number;
  playerIds: string[] | null;
}

function newsText(id: number, news: News): string {
  return `id: ${id}\nevent: transactions\ndata: ${JSON.stringify(news)}\n\n`;
}

/**
 * Notifies browsers that a ledger has grown, or that something else was changed. It reads the last number of each watched ledger a few times a second, once for
 * all its watchers, and so notices posts of other instances too, on either store. Without watchers nothing runs.
 */
export function createLiveLedger(parts: LiveLedgerParts): LiveLedger {
  const { ledgerHistory, entries, auditLog, clock, logger } = parts;
  const watchers = new Set<Watcher>();
  let looks = 0;
  let isAboutToLook = false;

  /** Schedules the next read. Reads never overlap, however long one takes. */
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
    looks += 1;
    if (looks % LOOKS_PER_LOG_LOOK === 0) {
      await Promise.all(Array.from(byGuild.values(), tellChanges));
    }
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
    const found = new Map<number, News>();
    for (const watcher of ofGuild) {
      const { position } = watcher;
      if (position >= last) {
        continue;
      }
      // Nearly all watchers have the same position, so they share the answer.
      const news = found.get(position) ?? (await readNews(guild, position, last));
      found.set(position, news);
      // A client that has not read the last event gets all news later, in one event.
      if (await tellWatcher(watcher, news, last)) {
        watcher.position = last;
      }
    }
  }

  /** False when the watcher has to be told later. */
  async function tellWatcher(watcher: Watcher, news: News, last: number): Promise<boolean> {
    const { playerId } = watcher;
    if (playerId === undefined) {
      return send(watcher, newsText(last, news));
    }
    if (news.playerIds !== null && !news.playerIds.includes(playerId)) {
      return true;
    }
    const { transactionCount } = await entries.account(watcher.guild, playerId);
    const count = transactionCount - watcher.announced;
    if (count <= 0) {
      return true;
    }
    // A person who is no longer verified gets no further event.
    await recheckNow(watcher);
    const isSent = send(watcher, newsText(transactionCount, { count, playerIds: [playerId] }));
    watcher.announced = isSent ? transactionCount : watcher.announced;
    return isSent;
  }

  async function tellChanges(ofGuild: Watcher[]): Promise<void> {
    const [first] = ofGuild;
    if (first === undefined) {
      return;
    }
    const earliest = Math.min(...ofGuild.map(({ entryNo }) => entryNo));
    const last = await auditLog.entryNoAfter(first.guild, earliest);
    for (const watcher of ofGuild) {
      if (watcher.entryNo >= last) {
        continue;
      }
      if (watcher.playerId !== undefined) {
        // The guild's settings or the verification may have changed. What else was changed does not concern a member.
        watcher.entryNo = last;
        recheckNow(watcher);
      } else if (send(watcher, CHANGES)) {
        watcher.entryNo = last;
      }
    }
  }

  async function readNews(guild: GuildRef, after: number, last: number): Promise<News> {
    const found = await ledgerHistory.feed(guild, { after, limit: NAMED_MAX });
    const count = last - after;
    return {
      count,
      playerIds: count > NAMED_MAX ? null : [...new Set(found.map(({ playerId }) => playerId))],
    };
  }

  function recheckSometimes(watcher: Watcher, nowMs: number): void {
    if (nowMs - watcher.checkedAtMs >= RECHECK_MS) {
      recheckNow(watcher);
    }
  }

  /** The stream ends when the session has ended, the role or the verification is gone, or the platform does not answer. */
  async function recheckNow(watcher: Watcher): Promise<void> {
    watcher.checkedAtMs = clock.monotonicMs();
    await watcher.recheck().catch(() => end(watcher));
  }

  /** At most one event waits to be read. The server disconnects a client that reads nothing for half a minute. */
  function send(watcher: Watcher, text: string): boolean {
    if (watcher.hasEnded || watcher.stream.readableLength > 0) {
      return false;
    }
    watcher.stream.push(text);
    watcher.sentAtMs = clock.monotonicMs();
    return true;
  }

  function end(watcher: Watcher): void {
    watcher.hasEnded = true;
    watcher.stream.push(null);
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
      const { guild, playerId } = order;
      const [last, entryNo] = await Promise.all([
        ledgerHistory.lastNumber(guild),
        auditLog.lastEntryNo(guild),
      ]);
      // Read after the last number, so that every later transaction is announced.
      const count = playerId === undefined ? 0 : (await entries.account(guild, playerId)).transactionCount;
      assertRoom(order.chatId);
      const stream = new Readable({ read() {} });
      const nowMs = clock.monotonicMs();
      // The client may have seen a higher number before a backup was restored.
      const known = playerId === undefined ? last : count;
      const seen = Math.min(after ?? known, known);
      const watcher: Watcher = {
        ...order,
        stream,
        position: playerId === undefined || seen < count ? seen : last,
        announced: seen,
        entryNo,
        hasEnded: false,
        checkedAtMs: nowMs,
        sentAtMs: nowMs,
      };
      watchers.add(watcher);
      stream.once('close', () => watchers.delete(watcher));
      parts.lifetimes.holdStream(request, 'live_stream', stream);
      stream.push(`retry: ${RETRY_MS + Math.floor(Math.random() * RETRY_MS)}\n\n`);
      lookLater();
      return stream;
    },
  };
}
