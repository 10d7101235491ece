import type { Page } from 'playwright-core';

const counter = 'clicksOfJob';

/**
 * Runs a job and returns the number of clicks that it took: presses of the mouse inside the page, counted by the page itself.
 * The job must not load the page anew.
 */
export async function clicksOf(page: Page, job: () => Promise<unknown>): Promise<number> {
  await page.evaluate((name) => {
    const counts = window as unknown as Record<string, number>;
    counts[name] = 0;
    const count = ({ isTrusted }: Event) => {
      if (isTrusted) counts[name] = (counts[name] ?? 0) + 1;
    };
    addEventListener('pointerdown', count, { capture: true });
  }, counter);
  await job();
  const clicks = await page.evaluate((name) => (window as unknown as Record<string, unknown>)[name], counter);
  if (typeof clicks !== 'number') throw new Error('The page was loaded anew, so its clicks are not known');
  return clicks;
}
