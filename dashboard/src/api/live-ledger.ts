import { downloadAddress } from './guild-path.ts';
import { readReply } from './replies.ts';

/** Whose money moved; null when that is not known, and everything may have changed. */
export type OnNews = (playerIds: readonly string[] | null) => void;

/** What the tab that has the stream tells the others: that it goes on, and what came. */
interface Sign {
  lastEventId?: string;
  playerIds?: string[] | null;
}

/** The service sends something every 15 seconds. Without a sign for this long there is no stream, and every tab asks for itself. */
const silentMs = 25_000;
const pollMs = 15_000;
/** A stream that was refused is asked for again after this long. */
const againMs = 30_000;

/**
 * Tells when the guild's ledger grows, until the function that it returns is called. All tabs of a browser that watch one guild
 * share a stream: the one that holds a lock has it and passes on what comes, and another takes over when it is closed.
 * Where no stream can be had, it tells at intervals that there may be news.
 */
export function watchLedger(guildId: string, onNews: OnNews): () => void {
  const name = `guildbook-live-${guildId}`;
  const channel = new BroadcastChannel(name);
  const stopping = new AbortController();
  let lastEventId: string | undefined;
  let heardAtMs = performance.now();

  function hear(sign: Sign): void {
    heardAtMs = performance.now();
    lastEventId = sign.lastEventId ?? lastEventId;
    if (sign.playerIds !== undefined) onNews(sign.playerIds);
  }

  channel.addEventListener('message', ({ data }: MessageEvent<Sign>) => hear(data));
  const lead = () =>
    holdStream({
      signal: stopping.signal,
      address: () => downloadAddress(guildId, ['events'], { after: lastEventId }),
      tell(sign) {
        hear(sign);
        channel.postMessage(sign);
      },
    });
  // Locks need a secure context. The promise fails when the wait for the lock is given up.
  navigator.locks?.request(name, { signal: stopping.signal }, lead).catch(() => undefined);
  const poll = setInterval(() => {
    if (performance.now() - heardAtMs >= silentMs) onNews(null);
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
  tell: (sign: Sign) => void;
}

/** Has a stream until the signal comes. Browsers come back by themselves, except after a refusal. */
async function holdStream({ signal, address, tell }: HeldStream): Promise<void> {
  while (!signal.aborted) {
    const source = new EventSource(address());
    source.addEventListener('open', () => tell({}));
    source.addEventListener('alive', () => tell({}));
    source.addEventListener('transactions', (event) => tell(toSign(event)));
    await untilRefused(source, signal);
    source.close();
    await pause(againMs, signal);
  }
}

function toSign({ data, lastEventId }: MessageEvent<string>): Sign {
  const { playerIds } = readReply('LedgerNewsReply', JSON.parse(data), 'GET events');
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
