type Work = () => void;

/** Safari has no idle callbacks. */
const pauseMs = 50;

const waiting = new Set<Work>();
let isScheduled = false;

/** Runs the works one after the other while the browser is idle. Returns a function that takes the work back. */
export function whenIdle(work: Work): () => void {
  waiting.add(work);
  schedule();
  return () => waiting.delete(work);
}

function schedule(): void {
  if (isScheduled || waiting.size === 0) return;
  isScheduled = true;
  if ('requestIdleCallback' in window) requestIdleCallback(runOne);
  else setTimeout(runOne, pauseMs);
}

function runOne(): void {
  isScheduled = false;
  const [work] = waiting;
  if (work === undefined) return;
  waiting.delete(work);
  work();
  schedule();
}
