const SIGNALS = ['SIGTERM', 'SIGINT'] as const;
/**
 * A signal to a process group arrives twice: directly, and again from npm or the launcher, which forward signals. So
 * the same signal within this time counts once.
 */
const COPY_MS = 1_000;

/** Resolves with the first SIGTERM or SIGINT, which asks for a graceful stop. Another one calls `endNow`. */
export function untilStopSignal(endNow: () => void): Promise<string> {
  return new Promise((resolve) => {
    let first: { signal: string; atMs: number } | undefined;
    const onSignal = (signal: string) => {
      if (first === undefined) {
        first = { signal, atMs: performance.now() };
        resolve(signal);
      } else if (signal !== first.signal || performance.now() - first.atMs > COPY_MS) {
        endNow();
      }
    };
    for (const name of SIGNALS) {
      process.on(name, onSignal);
    }
  });
}
