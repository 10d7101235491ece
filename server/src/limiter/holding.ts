/** Requests that wait at once. Each holds a connection. */
const HELD_MAX = 1_000;

/** Requests that wait for the same event. */
export interface Holding {
  /**
   * Waits until `releaseAll` or for `ms`. False at once when `max` requests of the subject wait, or too many altogether: the
   * caller refuses the request then.
   */
  wait(subject: string, order: { ms: number; max: number }): Promise<boolean>;
  releaseAll(): void;
}

export function createHolding(): Holding {
  const releases = new Set<() => void>();
  const counts = new Map<string, number>();

  function leave(subject: string): void {
    const left = (counts.get(subject) ?? 1) - 1;
    if (left === 0) {
      counts.delete(subject);
    } else {
      counts.set(subject, left);
    }
  }

  return {
    async wait(subject, { ms, max }) {
      const count = counts.get(subject) ?? 0;
      if (count >= max || releases.size >= HELD_MAX) {
        return false;
      }
      counts.set(subject, count + 1);
      await new Promise<void>((resolve) => {
        const release = () => {
          clearTimeout(timer);
          releases.delete(release);
          resolve();
        };
        // Timers have whole milliseconds and must not fire too early.
        const timer = setTimeout(release, Math.ceil(ms) + 1);
        releases.add(release);
      });
      leave(subject);
      return true;
    },
    releaseAll() {
      for (const release of releases) {
        release();
      }
    },
  };
}
