import type { TestService } from './service.ts';

/** How long a sample of the store's figures is used, on the service's clock. */
const SAMPLE_MS = 15_000;

/** The value of a series in Prometheus' text, as in `guildbook_webhooks{state="active"}`; undefined when it is absent. */
export function seriesOf(text: string, series: string): number | undefined {
  const line = text.split('\n').find((one) => one.startsWith(`${series} `));
  return line === undefined ? undefined : Number(line.slice(series.length + 1));
}

/** Scrapes a service. With `isFresh` the figures of the store are read anew. */
export async function scrape(
  service: Pick<TestService, 'metrics' | 'clock'>,
  isFresh = true,
): Promise<string> {
  if (isFresh) {
    service.clock.advance(SAMPLE_MS);
  }
  return service.metrics.text();
}
