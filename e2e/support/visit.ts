import type { Page } from 'playwright-core';

/**
 * Goes to another page of the dashboard as its links do, without loading everything anew, which takes a second each time.
 * A test of what an address shows when it is loaded uses `page.goto`.
 */
export async function visit(page: Page, path: string): Promise<void> {
  await page.evaluate((address) => {
    history.pushState(null, '', address);
    dispatchEvent(new PopStateEvent('popstate', { state: null }));
  }, path);
}
