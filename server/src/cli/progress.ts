const BAR_WIDTH = 24;
const TERMINAL_EVERY_MS = 100;
const PLAIN_EVERY_MS = 5_000;

export interface Progress {
  /** `done` of `total`, if that is known, and the number of records. */
  update(state: { done: number; total?: number | undefined; count: number }): void;
  /** Removes the bar. */
  finish(): void;
}

/**
 * Shows progress on standard error: on a terminal a bar with rate and remaining time, otherwise a line from time to
 * time.
 */
export function createProgress(label: string, unit = 'record'): Progress {
  const isTerminal = process.stderr.isTTY === true;
  const startMs = performance.now();
  const everyMs = isTerminal ? TERMINAL_EVERY_MS : PLAIN_EVERY_MS;
  let shownAtMs = startMs;
  return {
    update({ done, total, count }) {
      const nowMs = performance.now();
      if (nowMs - shownAtMs < everyMs) {
        return;
      }
      shownAtMs = nowMs;
      const seconds = (nowMs - startMs) / 1_000;
      const share = total === undefined || total === 0 ? undefined : Math.min(done / total, 1);
      const rate = `${formatMany(count, unit)}, ${format(count / seconds)}/s`;
      const left =
        share === undefined || share === 0 ? '' : `, ${formatSeconds((seconds / share) * (1 - share))} left`;
      const percent = share === undefined ? '' : ` ${Math.floor(share * 100)} %`;
      const bar = isTerminal && share !== undefined ? ` ${drawBar(share)}` : '';
      process.stderr.write(
        isTerminal
          ? `\r\x1b[2K${label}${bar}${percent}  ${rate}${left}`
          : `${label}${percent}: ${rate}${left}\n`,
      );
    },
    finish() {
      if (isTerminal) {
        process.stderr.write('\r\x1b[2K');
      }
    },
  };
}

/** "1 record", "20,390 records". */
export function formatMany(count: number, noun: string): string {
  return `${format(count)} ${noun}${count === 1 ? '' : 's'}`;
}

export function format(value: number): string {
  return Math.round(value).toLocaleString('en-US');
}

function drawBar(share: number): string {
  const full = Math.round(share * BAR_WIDTH);
  return `[${'#'.repeat(full)}${'.'.repeat(BAR_WIDTH - full)}]`;
}

function formatSeconds(seconds: number): string {
  const whole = Math.ceil(seconds);
  return whole < 60 ? `${whole} s` : `${Math.floor(whole / 60)} min ${whole % 60} s`;
}
