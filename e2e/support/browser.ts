import type { Browser, BrowserContext, BrowserContextOptions, Request } from 'playwright-core';
import { afterAll, beforeAll, expect, onTestFinished } from 'vitest';
import { launchChromium } from './chromium.ts';

const actionWaitMs = 20_000;

let browser: Browser | undefined;

/** Call once in a file: its tests share one Chromium process, each with browsers of its own inside it. */
export function useChromium(): void {
  beforeAll(async () => {
    browser = await launchChromium();
  });
  afterAll(() => browser?.close());
}

/**
 * A browser with nothing in it, as on a machine of its own. At the end of the test it must have asked no
 * other origin for anything, and no script of its pages may have failed.
 */
export async function openBrowser(
  address: string,
  options: BrowserContextOptions = {},
): Promise<BrowserContext> {
  if (!browser) throw new Error('useChromium() has not been called in this file');
  const context = await browser.newContext({ baseURL: address, ...options });
  context.setDefaultTimeout(actionWaitMs);
  const faults: string[] = [];
  context.on('request', createOriginGuard(address, faults));
  context.on('weberror', (error) => faults.push(`failed: ${error.error().message}`));
  context.on('dialog', (dialog) => {
    faults.push(`opened a dialog: ${dialog.message()}`);
    dialog.dismiss().catch(() => undefined);
  });
  onTestFinished(async () => {
    await context.close();
    expect(faults).toEqual([]);
  });
  return context;
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
