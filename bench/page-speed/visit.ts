import type { Browser, BrowserContextOptions, CDPSession } from 'playwright-core';
import { type pageContents, watchFirstScreen } from '../../e2e/support/first-screen.ts';

const CPU_SLOWDOWN = 4;

export interface Network {
  name: string;
  latencyMs: number;
  downBytes: number;
  upBytes: number;
}

/** One visit of a page with an empty cache. Times are milliseconds since the navigation started. */
export interface Visit {
  usableMs: number;
  /** When nothing was missing on the whole page. */
  completeMs: number;
  /** All requests that were sent before the page was usable. */
  requests: string[];
  /** Received until then, with headers. */
  bytes: number;
  /** When the last script or style sheet that was needed had arrived. */
  codeMs: number;
  apiSentMs: number;
  apiMs: number;
  /** Time of the main thread in scripts, and in styles and layout, until the page was usable. */
  scriptMs: number;
  styleMs: number;
}

interface WatchedPage {
  browser: Browser;
  options: BrowserContextOptions;
  network: Network;
  path: string;
  content: (typeof pageContents)[keyof typeof pageContents];
}

export async function visit({ browser, options, network, path, content }: WatchedPage): Promise<Visit> {
  const context = await browser.newContext(options);
  const page = await context.newPage();
  await page.addInitScript({ content: watchFirstScreen(content) });
  const session = await context.newCDPSession(page);
  const sent = await recordRequests(session);
  await session.send('Performance.enable');
  await session.send('Network.emulateNetworkConditions', {
    offline: false,
    latency: network.latencyMs,
    downloadThroughput: network.downBytes,
    uploadThroughput: network.upBytes,
  });
  await session.send('Emulation.setCPUThrottlingRate', { rate: CPU_SLOWDOWN });
  await page.goto(path, { waitUntil: 'commit' });
  await page.waitForFunction(() => 'usableMs' in globalThis, undefined, { polling: 10 });
  const { metrics } = await session.send('Performance.getMetrics');
  await page.waitForFunction(() => 'completeMs' in globalThis, undefined, { polling: 50 });
  const usableMs = await page.evaluate<number>('usableMs');
  const completeMs = await page.evaluate<number>('completeMs');
  await context.close();
  const metricMs = (name: string) => (metrics.find((one) => one.name === name)?.value ?? Number.NaN) * 1_000;
  return {
    usableMs,
    completeMs,
    ...summarize(sent, usableMs),
    scriptMs: metricMs('ScriptDuration'),
    styleMs: metricMs('RecalcStyleDuration') + metricMs('LayoutDuration'),
  };
}

interface SentRequest {
  path: string;
  type: string;
  sentMs: number;
  endedMs: number;
  received: { atMs: number; bytes: number }[];
}

/** Records all requests of a page. Times are relative to the first one, which is the navigation's. */
async function recordRequests(session: CDPSession): Promise<Map<string, SentRequest>> {
  const sent = new Map<string, SentRequest>();
  let startMs: number | undefined;
  const since = (seconds: number) => seconds * 1_000 - (startMs ?? 0);
  session.on('Network.requestWillBeSent', ({ requestId, request, type, timestamp }) => {
    if (!request.url.startsWith('http')) return;
    startMs ??= timestamp * 1_000;
    const path = new URL(request.url).pathname;
    const times = { sentMs: since(timestamp), endedMs: Number.POSITIVE_INFINITY };
    sent.set(requestId, { path, type: type ?? '', ...times, received: [] });
  });
  session.on('Network.dataReceived', ({ requestId, timestamp, encodedDataLength }) => {
    sent.get(requestId)?.received.push({ atMs: since(timestamp), bytes: encodedDataLength });
  });
  session.on('Network.loadingFinished', ({ requestId, timestamp, encodedDataLength }) => {
    const found = sent.get(requestId);
    if (!found) return;
    found.endedMs = since(timestamp);
    // This length includes the headers, and is exact where the parts are not.
    found.received = [{ atMs: found.endedMs, bytes: encodedDataLength }];
  });
  await session.send('Network.enable');
  return sent;
}

function summarize(sent: ReadonlyMap<string, SentRequest>, usableMs: number) {
  const before = [...sent.values()].filter(({ sentMs }) => sentMs <= usableMs);
  const isApi = ({ path }: SentRequest) => path.startsWith('/dashboard/api/') || path === '/openapi.json';
  const endOf = (requests: readonly SentRequest[]) =>
    Math.max(...requests.map(({ endedMs }) => endedMs).filter((endedMs) => endedMs <= usableMs));
  const received = before.flatMap((request) => request.received).filter(({ atMs }) => atMs <= usableMs);
  return {
    requests: before.map(
      ({ path, sentMs, endedMs }) =>
        `${sentMs.toFixed(0).padStart(7)} ${endedMs.toFixed(0).padStart(7)}  ${path}`,
    ),
    bytes: received.reduce((sum, { bytes }) => sum + bytes, 0),
    codeMs: endOf(before.filter(({ type }) => type === 'Script' || type === 'Stylesheet')),
    apiSentMs: Math.min(...before.filter(isApi).map(({ sentMs }) => sentMs)),
    apiMs: endOf(before.filter(isApi)),
  };
}
