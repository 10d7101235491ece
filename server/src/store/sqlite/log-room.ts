import { statSync } from 'node:fs';

/** The write-ahead log begins anew after some sixteen megabytes, unless something keeps it from that. */
const LOG_BYTES_MAX = 64 * 1024 * 1024;

export interface LogRoomOptions {
  file: string;
  /** Begins the log anew, unless somebody is still reading from it. */
  restartLog: () => Promise<void>;
}

/**
 * SQLite can begin its write-ahead log anew only while nobody reads from it, and long reads one after another would keep it
 * from that for good: the log would fill the disk. So when it has become long, the reads under way end before others
 * begin, and in between it begins anew.
 */
export function createLogRoom({ file, restartLog }: LogRoomOptions) {
  const running = new Set<Promise<unknown>>();
  let pause: Promise<void> | undefined;

  function isLong(): boolean {
    const log = statSync(`${file}-wal`, { throwIfNoEntry: false });
    return log !== undefined && log.size > LOG_BYTES_MAX;
  }

  async function makeRoom(): Promise<void> {
    try {
      await Promise.allSettled(running);
      await restartLog();
    } finally {
      pause = undefined;
    }
  }

  return async function run<Result>(read: () => Promise<Result>): Promise<Result> {
    if (pause === undefined && isLong()) {
      pause = makeRoom();
    }
    // Once is enough: should a download be what reads from the log, listings go on beside it.
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
