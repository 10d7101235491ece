import { onTestFinished } from 'vitest';
import { untilTrue } from './patience.ts';

export interface StreamedEvent {
  id: string;
  event: string;
  // biome-ignore lint/suspicious/noExplicitAny: tests look into data whose shape is what they test
  data: any;
}

export interface EventStream {
  status: number;
  headers: Headers;
  /** Everything that was received so far. */
  all(): readonly StreamedEvent[];
  /** Waits for `count` events about transactions and returns the last of them. */
  until(count: number): Promise<StreamedEvent>;
  /** Waits until the service has ended it. */
  untilEnded(): Promise<void>;
  /** Waits for the event that something else was changed. */
  untilChanges(): Promise<void>;
  /** Waits for a sign of life. */
  untilAlive(): Promise<void>;
  close(): void;
}

/** Server-sent events as a browser gets them. */
export async function openEventStream(url: URL, headers: Record<string, string>): Promise<EventStream> {
  const leaving = new AbortController();
  const response = await fetch(url, { headers, signal: leaving.signal });
  const all: StreamedEvent[] = [];
  const events = () => all.filter(({ event }) => event === 'transactions');
  let hasEnded = false;
  const reading = readEvents(response, all)
    .then(() => {
      hasEnded = true;
    })
    // Going away breaks the reading off.
    .catch(() => undefined);
  const close = () => leaving.abort();
  onTestFinished(async () => {
    close();
    await reading;
  });
  return {
    status: response.status,
    headers: response.headers,
    close,
    all: () => all,
    async until(count) {
      await untilTrue(() => events().length >= count);
      const event = events()[count - 1];
      if (event === undefined) throw new Error('so many events have come');
      return event;
    },
    untilChanges: () => untilTrue(() => all.some(({ event }) => event === 'changes')),
    untilAlive: () => untilTrue(() => all.some(({ event }) => event === 'alive')),
    untilEnded: () => untilTrue(() => hasEnded),
  };
}

async function readEvents(response: Response, events: StreamedEvent[]): Promise<void> {
  let rest = '';
  for await (const piece of response.body?.pipeThrough(new TextDecoderStream()) ?? []) {
    const blocks = (rest + piece).split('\n\n');
    rest = blocks.pop() ?? '';
    events.push(
      ...blocks
        .map(toFields)
        .filter(({ event }) => event !== undefined)
        .map(toEvent),
    );
  }
}

function toFields(block: string): Record<string, string> {
  const lines = block.split('\n').map((line) => /^(\w+): ?(.*)$/.exec(line));
  return Object.fromEntries(lines.flatMap((match) => (match ? [[match[1], match[2]]] : [])));
}

function toEvent({ id = '', event = '', data = 'null' }: Record<string, string>): StreamedEvent {
  return { id, event, data: JSON.parse(data) };
}
