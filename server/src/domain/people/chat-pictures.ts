import { createCache } from '../cache.ts';
import type { Clock } from '../ports.ts';

/** Size limit of one picture. */
export const PICTURE_BYTES_MAX = 256 * 1024;
/** Size of each of the two generations of the cache. */
const CACHE_BYTES = 8 * 1024 * 1024;
const FETCHES_MAX = 16;
const WAITING_MAX = 500;
const MISSING_CACHED_MAX = 10_000;
const MISSING_KEPT_MS = 10 * 60_000;
const FAILED_KEPT_MS = 60_000;
/** After this number of failures in a row the host is not asked for `FAILED_KEPT_MS`. */
const FAILURES_MAX = 3;

export const PICTURE_TYPES = ['image/png', 'image/jpeg', 'image/gif', 'image/webp'] as const;
export type PictureType = (typeof PICTURE_TYPES)[number];

/** A picture on the host of the chat platform: of a person or of a guild. */
export interface PictureRef {
  kind: 'avatars' | 'icons';
  /** The id of the person or guild. */
  id: string;
  /** The platform's hash of the picture. Another picture has another hash. */
  hash: string;
}

export interface Picture {
  type: PictureType;
  bytes: Buffer;
}

/** The host of the pictures. */
export interface PictureHost {
  /**
   * Undefined when there is no such picture, or none that may be shown. Rejects when the host is unreachable, slow or overloaded.
   * Sends no token.
   */
  fetch(picture: PictureRef): Promise<Picture | undefined>;
}

/** The pictures of people and guilds, from a cache in memory. */
export interface ChatPictures {
  /** Undefined when there is no such picture, or the host does not deliver it now. Never rejects. */
  find(picture: PictureRef): Promise<Picture | undefined>;
  /** The hash of a picture that can be fetched; undefined for an address and other texts that are no hash. */
  hashOf(text: string | undefined): string | undefined;
}

const HASH = /^\w{1,128}$/;

/** Without a host there are no pictures. */
export function createChatPictures(host: PictureHost | undefined, clock: Clock): ChatPictures {
  const pictures = createCache<Picture>(CACHE_BYTES);
  const missing = createCache<{ untilMs: number }>(MISSING_CACHED_MAX);
  const underWay = new Map<string, Promise<Picture | undefined>>();
  const slots = createSlots();
  let failures = 0;
  let pausedUntilMs = 0;

  async function fetchOnce(picture: PictureRef, key: string): Promise<Picture | undefined> {
    if (host === undefined || !(await slots.take())) {
      return undefined;
    }
    try {
      if (clock.monotonicMs() < pausedUntilMs) {
        return undefined;
      }
      const found = await host.fetch(picture);
      failures = 0;
      if (found === undefined) {
        missing.set(key, { untilMs: clock.monotonicMs() + MISSING_KEPT_MS });
      } else {
        pictures.set(key, found, found.bytes.length);
      }
      return found;
    } catch {
      const untilMs = clock.monotonicMs() + FAILED_KEPT_MS;
      failures += 1;
      pausedUntilMs = failures >= FAILURES_MAX ? untilMs : pausedUntilMs;
      missing.set(key, { untilMs });
      return undefined;
    } finally {
      slots.giveBack();
    }
  }

  return {
    async find(picture) {
      const key = `${picture.kind}/${picture.id}/${picture.hash}`;
      const cached = pictures.get(key);
      const nowMs = clock.monotonicMs();
      if (cached !== undefined || nowMs < (missing.get(key)?.untilMs ?? 0) || nowMs < pausedUntilMs) {
        return cached;
      }
      const asked = underWay.get(key) ?? fetchOnce(picture, key).finally(() => underWay.delete(key));
      underWay.set(key, asked);
      return asked;
    },
    hashOf: (text = '') => (host !== undefined && HASH.test(text) ? text : undefined),
  };
}

/** At most `FETCHES_MAX` at once. Up to `WAITING_MAX` more wait for their turn. */
function createSlots() {
  let taken = 0;
  const waiting: (() => void)[] = [];
  return {
    /** False when too many wait. */
    async take(): Promise<boolean> {
      if (taken < FETCHES_MAX) {
        taken += 1;
        return true;
      }
      if (waiting.length >= WAITING_MAX) {
        return false;
      }
      await new Promise<void>((resolve) => waiting.push(resolve));
      return true;
    },
    /** Hands the slot to the next in the queue, or frees it. */
    giveBack(): void {
      const next = waiting.shift();
      if (next === undefined) {
        taken -= 1;
      } else {
        next();
      }
    },
  };
}
