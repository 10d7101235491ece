import type { Clock } from '../../../domain/ports.ts';

/** Beyond this number the oldest message is dropped. */
const MESSAGES_MAX = 60;
/** Start of the time in ids of the platform: 2015-01-01. */
const EPOCH_MS = 1_420_070_400_000;

export interface DemoEmbed {
  title?: string;
  description?: string;
  color?: number;
  fields?: { name: string; value: string; inline?: boolean }[];
  timestamp?: string;
  footer?: { text: string };
  image?: { url: string };
}

export interface DemoButton {
  style: number;
  label?: string;
  custom_id?: string;
  url?: string;
  disabled?: boolean;
}

/** The parts of a message that its sender chooses. */
export interface DemoContent {
  content?: string;
  embeds: DemoEmbed[];
  buttons: DemoButton[];
  /** Attached pictures, by the names that embeds use. */
  files: Map<string, Blob>;
}

export interface DemoAuthor {
  chatId: string;
  username: string;
  avatar?: string | undefined;
}

export interface DemoMessage extends DemoContent {
  id: string;
  atMs: number;
  /** Increases with each change. */
  revision: number;
  /** Undefined for the application. */
  author?: DemoAuthor | undefined;
  /** The command that the message answers. */
  use?: { by: DemoAuthor; command: string } | undefined;
  /** The only person who sees it; undefined when everybody does. */
  onlyFor?: string | undefined;
  /** Waiting until the application has its answer, sent, or without an answer. */
  state: 'waiting' | 'sent' | 'failed';
}

export type MessageEvent =
  | { kind: 'written'; message: DemoMessage }
  | { kind: 'removed'; message: DemoMessage };

export interface DemoMessages {
  /** An id of the platform: unique, and ordered by time. */
  makeId(): string;
  add(message: Omit<DemoMessage, 'id' | 'atMs' | 'revision'>): DemoMessage;
  /** Returns false when the message does not exist any more. */
  edit(id: string, change: Partial<Omit<DemoMessage, 'id' | 'atMs' | 'revision'>>): boolean;
  remove(id: string): void;
  find(id: string): DemoMessage | undefined;
  /** The messages that a person sees, oldest first. */
  visibleTo(chatId: string | undefined): DemoMessage[];
  /** Calls back for each change until the returned function is called. */
  watch(onEvent: (event: MessageEvent) => void): () => void;
}

/** The messages of the channel, in memory only. */
export function createDemoMessages(clock: Clock): DemoMessages {
  const kept = new Map<string, DemoMessage>();
  const watchers = new Set<(event: MessageEvent) => void>();
  let made = 0n;

  const report = (kind: MessageEvent['kind'], message: DemoMessage) => {
    for (const onEvent of watchers) {
      onEvent({ kind, message });
    }
  };

  function remove(id: string): void {
    const message = kept.get(id);
    if (message !== undefined) {
      kept.delete(id);
      report('removed', message);
    }
  }

  function makeId(): string {
    made += 1n;
    return String((BigInt(clock.nowMs() - EPOCH_MS) << 22n) | (made & 0xfffn));
  }

  return {
    makeId,
    add(message) {
      const added = { ...message, id: makeId(), atMs: clock.nowMs(), revision: 1 };
      kept.set(added.id, added);
      report('written', added);
      for (const id of [...kept.keys()].slice(0, Math.max(0, kept.size - MESSAGES_MAX))) {
        remove(id);
      }
      return added;
    },
    edit(id, change) {
      const message = kept.get(id);
      if (message === undefined) {
        return false;
      }
      const edited = { ...message, ...change, revision: message.revision + 1 };
      kept.set(id, edited);
      report('written', edited);
      return true;
    },
    remove,
    find: (id) => kept.get(id),
    visibleTo: (chatId) => [...kept.values()].filter((message) => isVisible(message, chatId)),
    watch(onEvent) {
      watchers.add(onEvent);
      return () => watchers.delete(onEvent);
    },
  };
}

export function isVisible({ onlyFor }: DemoMessage, chatId: string | undefined): boolean {
  return onlyFor === undefined || onlyFor === chatId;
}
