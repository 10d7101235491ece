import { AxeBuilder } from '@axe-core/playwright';
import type { Page } from 'playwright-core';

/** What axe calls serious or critical, with the place, so that a failure tells where to look. */
export async function findViolations(page: Page, place: string): Promise<string[]> {
  // What passes is not described element by element, and nothing is gathered from frames, of which there are none: both
  // take much of the time on a long page.
  const axe = new AxeBuilder({ page }).setLegacyMode(true).options({ resultTypes: ['violations'] });
  const { violations } = await axe.analyze();
  return violations
    .filter(({ impact }) => impact === 'serious' || impact === 'critical')
    .map(({ id, nodes }) => `${place}: ${id} at ${nodes.map(({ target }) => target.join(' ')).join(', ')}`);
}
