import { statSync } from 'node:fs';

/** A checkpoint runs every sixteen megabytes. A WAL of this size means that readers have prevented its reset for a while. */
const WAL_BYTES_MAX = 64 * 1024 * 1024;

export interface WalTruncationOptions {
  file: string;
  /** Truncates the WAL, unless a reader still uses it. */
  truncateWal: () => Promise<void>;
}

/** The size of the WAL in bytes. */
export function walBytes(file: string): number {
  return statSync(`${file}-wal`, { throwIfNoEntry: false })?.size ?? 0;
}

/**
 * SQLite can reset its write-ahead log (WAL) only while nobody reads from it. Overlapping long reads would prevent
 * that for good, and the WAL would fill the disk. When it is too large, new long reads wait until the running ones
 * have ended, and then the WAL is truncated.
 */
export function createWalTruncation({ file, truncateWal }: WalTruncationOptions) {
  const running = new Set<Promise<unknown>>();
  let pause: Promise<void> | undefined;

  function isLong(): boolean {
    return walBytes(file) > WAL_BYTES_MAX;
  }

  async function waitAndTruncate(): Promise<void> {
    try {
      await Promise.allSettled(running);
      await truncateWal();
    } finally {
      pause = undefined;
    }
  }

  return async function run<Result>(read: () => Promise<Result>): Promise<Result> {
    if (pause === undefined && isLong()) {
      pause = waitAndTruncate();
    }
    // Waits only once: while a download still reads from the WAL, listings run beside it.
    await pause;
    const reading = read();
    running.add(reading);
    try {
      return await reading;
    } finally {
      running.delete(reading);
    }
  };
}
