import type { Worker } from 'node:cluster';
import type { MetricValues } from '../../http/metrics.ts';
import { createRecent } from '../../http/recent.ts';
import type { FromWorker, ToWorker } from './messages.ts';

/** A worker that does not report within this time is left out. */
const REPORT_MS = 1_000;

export interface MetricsCollector {
  /** Handles a message of a worker: a request for the metrics of all workers, or its own metrics. */
  hear(from: Worker, message: FromWorker): void;
}

/** Collects the metrics of all workers for the worker that was scraped. */
export function createMetricsCollector(workers: () => Worker[]): MetricsCollector {
  const reports = new Map<number, (from: Worker, metrics: MetricValues) => void>();
  let rounds = 0;

  /** Resolves when every worker has reported or the time is up. */
  function collect(): Promise<MetricValues[]> {
    rounds += 1;
    const id = rounds;
    const missing = new Set(workers().filter((worker) => worker.isConnected()));
    const collected: MetricValues[] = [];
    return new Promise((resolve) => {
      const finish = () => {
        clearTimeout(timer);
        reports.delete(id);
        resolve(collected);
      };
      const timer = setTimeout(finish, REPORT_MS);
      reports.set(id, (from, metrics) => {
        collected.push(metrics);
        missing.delete(from);
        if (missing.size === 0) {
          finish();
        }
      });
      for (const worker of missing) {
        send(worker, { kind: 'report', id });
      }
    });
  }

  /** Several workers may be scraped at the same time: one round serves all of them. */
  const readText = createRecent(
    async () => {
      // Imported here, because a supervisor that is never scraped does not need it.
      const { mergeMetrics } = await import('../../http/metrics.ts');
      return mergeMetrics(await collect());
    },
    { monotonicMs: () => performance.now() },
  );

  async function answer(asking: Worker, id: number): Promise<void> {
    send(asking, { kind: 'gathered', id, text: await readText() });
  }

  return {
    hear(from, message) {
      if (message.kind === 'metrics') {
        reports.get(message.id)?.(from, message.metrics);
      } else if (message.kind === 'gather') {
        // The asking worker has its own time limit and reports the failure to its caller.
        answer(from, message.id).catch(() => {});
      }
    },
  };
}

/** A worker may end at any moment; then the message is dropped. */
function send(worker: Worker, message: ToWorker): void {
  if (worker.isConnected()) {
    worker.send(message, () => {});
  }
}
