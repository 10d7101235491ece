import {
  type Browser,
  type BrowserContext,
  type BrowserContextOptions,
  chromium,
  type Page,
  type Request,
} from 'playwright-core';
import { afterAll, beforeAll, expect, onTestFinished } from 'vitest';
import type { Demo } from './demo-process.ts';
import { watchForFailure } from './failure-report.ts';
import { waitMs } from './patience.ts';
import { askForShared } from './shared.ts';

let browser: Browser | undefined;

/** Call once in a file: its tests use the run's Chromium, each with browsers of its own inside it. */
export function useChromium(): void {
  beforeAll(async () => {
    browser = await chromium.connect(await askForShared('chromium'), { timeout: waitMs });
  });
  // This closes the connection and everything opened through it; Chromium keeps running for the other files.
  afterAll(() => browser?.close());
}

/**
 * A browser with nothing in it, as on a machine of its own. At the end of the test it must have asked no other origin
 * for anything, and no script of its pages may have failed. Nothing moves in it unless the options say so, because a
 * test would have to wait for the end of each transition.
 */
export async function openBrowser(demo: Demo, options: BrowserContextOptions = {}): Promise<BrowserContext> {
  if (!browser) throw new Error('useChromium() has not been called in this file');
  const context = await browser.newContext({ baseURL: demo.address, reducedMotion: 'reduce', ...options });
  context.setDefaultTimeout(waitMs);
  const faults: string[] = [];
  context.on('request', createOriginGuard(demo.address, faults));
  context.on('weberror', (error) => faults.push(`failed: ${error.error().message}`));
  context.on('dialog', (dialog) => {
    faults.push(`opened a dialog: ${dialog.message()}`);
    dialog.dismiss().catch(() => undefined);
  });
  const report = watchForFailure(context, demo);
  onTestFinished(async ({ task }) => {
    // A copy, because closing the pages aborts requests: scripts that fail for this reason are no faults.
    const found = [...faults];
    if (task.result?.state === 'fail' || found.length > 0) await report(task.name);
    await closeContext(context);
    expect(found).toEqual([]);
  });
  return context;
}

/** A page in a browser of its own. */
export async function openPage(demo: Demo, options: BrowserContextOptions = {}): Promise<Page> {
  return (await openBrowser(demo, options)).newPage();
}

/** A request that a test holds back or changes may be under way; it must not fail because its page is gone. */
async function closeContext(context: BrowserContext): Promise<void> {
  const pages = context.pages();
  await Promise.all(pages.map((page) => page.unrouteAll({ behavior: 'ignoreErrors' })));
  await context.close();
}

/** Lets only one thing pass: going to the chat platform, where the service itself sends the browser to sign in. */
function createOriginGuard(address: string, faults: string[]): (request: Request) => void {
  const platforms = new Set<string>();
  return (request) => {
    const url = new URL(request.url());
    if (!url.protocol.startsWith('http') || url.origin === address) return;
    const sender = request.redirectedFrom()?.url() ?? '';
    if (sender.startsWith(`${address}/dashboard/api/sign-in?`)) platforms.add(url.origin);
    if (request.isNavigationRequest() && platforms.has(url.origin)) return;
    faults.push(`left the origin: ${url}`);
  };
}
