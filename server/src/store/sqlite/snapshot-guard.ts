import { DomainError } from '../../domain/errors.ts';
import { walBytes } from './wal-truncation.ts';

/** How often the size of the WAL is checked while snapshots are held. A slow receiver can hold one for long. */
const LOOK_EVERY_MS = 500;

/** Holds a snapshot: a connection, or a reading on another thread. */
interface Snapshot {
  isOpen: boolean;
  close(): void;
}

export type SnapshotGuard = ReturnType<typeof createSnapshotGuard>;

/**
 * Closes snapshots when the WAL grows beyond `bytesMax`: SQLite cannot reset it while a snapshot uses it, and a slow
 * receiver would let it fill the disk.
 */
export function createSnapshotGuard(file: string, bytesMax: number) {
  const open = new Set<Snapshot>();
  let timer: NodeJS.Timeout | undefined;

  function look(): void {
    if (walBytes(file) > bytesMax) {
      // Closing releases a snapshot at once, even while its reading waits for the receiver.
      for (const snapshot of [...open]) {
        end(snapshot);
      }
    }
  }

  function end(snapshot: Snapshot): void {
    open.delete(snapshot);
    if (open.size === 0) {
      clearInterval(timer);
      timer = undefined;
    }
    if (snapshot.isOpen) {
      snapshot.close();
    }
  }

  return {
    watch(snapshot: Snapshot) {
      open.add(snapshot);
      if (bytesMax !== Number.POSITIVE_INFINITY) {
        timer ??= setInterval(look, LOOK_EVERY_MS).unref();
      }
      return {
        assertMayGoOn() {
          if (!snapshot.isOpen) {
            const cause = new Error(
              `the write-ahead log got longer than ${bytesMax} bytes: the reading was ended`,
            );
            throw new DomainError('store_unavailable', { cause, retryAfterSeconds: 5 });
          }
        },
        close: () => end(snapshot),
      };
    },
  };
}
