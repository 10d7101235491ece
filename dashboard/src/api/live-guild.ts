import { downloadAddress } from './guild-path.ts';
import { loadReader, type ReplyReader } from './replies.ts';

export interface News {
  /** Called with the players whose money moved; null when they are unknown and everything may have changed. */
  onMoney: (playerIds: readonly string[] | null) => void;
  /** Called when something other than the ledger was changed, or may have been. */
  onChanges: () => void;
}

/** A message of the tab with the stream to the other tabs: a sign of life, or a received event. */
interface Sign {
  lastEventId?: string;
  playerIds?: string[] | null;
  hasChanges?: boolean;
}

/**
 * The service sends something every 15 seconds. After this time without a message the stream counts as lost, and
 * every tab polls.
 */
const silentMs = 25_000;
const pollMs = 15_000;
/** The pause after a refused stream. */
const againMs = 30_000;

/**
 * Reports when the guild's ledger grows or something else is changed, until the returned function is called; with `isOwn`, only when the
 * person's own account does. All tabs of a browser that
 * watch one guild share a stream: the tab that holds a lock opens it and passes its events on. When that tab is
 * closed, another one takes over. Without a stream, both are reported at intervals.
 */
export function watchGuild(
  { guildId, isOwn }: { guildId: string; isOwn: boolean },
  { onMoney, onChanges }: News,
): () => void {
  const name = `guildbook-live-${isOwn ? 'own-' : ''}${guildId}`;
  const channel = new BroadcastChannel(name);
  const stopping = new AbortController();
  let lastEventId: string | undefined;
  let heardAtMs = performance.now();

  function hear(sign: Sign): void {
    heardAtMs = performance.now();
    lastEventId = sign.lastEventId ?? lastEventId;
    if (sign.playerIds !== undefined) onMoney(sign.playerIds);
    if (sign.hasChanges) onChanges();
  }

  channel.addEventListener('message', ({ data }: MessageEvent<Sign>) => hear(data));
  const lead = () =>
    holdStream({
      signal: stopping.signal,
      address: () => downloadAddress(guildId, [...(isOwn ? ['me'] : []), 'events'], { after: lastEventId }),
      publish(sign) {
        hear(sign);
        channel.postMessage(sign);
      },
    });
  // Locks need a secure context. The promise rejects when waiting for the lock is aborted.
  navigator.locks?.request(name, { signal: stopping.signal }, lead).catch(() => undefined);
  const poll = setInterval(() => {
    if (performance.now() - heardAtMs < silentMs) return;
    onMoney(null);
    onChanges();
  }, pollMs);
  return () => {
    stopping.abort();
    clearInterval(poll);
    channel.close();
  };
}

interface HeldStream {
  signal: AbortSignal;
  address: () => string;
  publish: (sign: Sign) => void;
}

/** Keeps a stream open until the signal is aborted. Browsers reconnect by themselves, except after a refusal. */
async function holdStream({ signal, address, publish }: HeldStream): Promise<void> {
  const readNews = await loadReader('LedgerNewsReply');
  let wasOpen = false;
  while (!signal.aborted) {
    const source = new EventSource(address());
    source.addEventListener('open', () => {
      // Transactions since the last event are sent again, other changes are not.
      publish({ hasChanges: wasOpen });
      wasOpen = true;
    });
    source.addEventListener('changes', () => publish({ hasChanges: true }));
    source.addEventListener('alive', () => publish({}));
    source.addEventListener('transactions', (event) => publish(toSign(event, readNews)));
    await untilRefused(source, signal);
    source.close();
    await pause(againMs, signal);
  }
}

function toSign({ data, lastEventId }: MessageEvent<string>, readNews: ReplyReader<'LedgerNewsReply'>): Sign {
  const { playerIds } = readNews(JSON.parse(data), 'GET events');
  return { lastEventId, playerIds };
}

function untilRefused(source: EventSource, signal: AbortSignal): Promise<void> {
  return new Promise((resolve) => {
    signal.addEventListener('abort', () => resolve(), { once: true });
    source.addEventListener('error', () => source.readyState === EventSource.CLOSED && resolve());
  });
}

function pause(ms: number, signal: AbortSignal): Promise<void> {
  return new Promise((resolve) => {
    if (signal.aborted) return resolve();
    const timer = setTimeout(resolve, ms);
    signal.addEventListener('abort', () => {
      clearTimeout(timer);
      resolve();
    });
  });
}
