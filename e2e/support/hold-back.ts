import type { Page } from 'playwright-core';

export interface Held {
  /** Resolves when the page has sent a request that is now held back. */
  asked: Promise<void>;
  /** Lets the requests that are held back go on, and those that follow. */
  release: () => void;
}

/** Holds the page's requests for such addresses back until they are released. */
export async function holdBack(page: Page, address: string | RegExp): Promise<Held> {
  const asked = Promise.withResolvers<void>();
  const released = Promise.withResolvers<void>();
  await page.route(address, async (route) => {
    asked.resolve();
    await released.promise;
    await route.continue();
  });
  return { asked: asked.promise, release: released.resolve };
}
