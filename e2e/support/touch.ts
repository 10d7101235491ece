import type { Page } from 'playwright-core';
import { waitUntilLoaded } from './steps.ts';

/** The least width and height of a touch target, in pixels. */
const touchMin = 40;

/**
 * The controls that are too small for a finger, with their size. The size is that of the area in which a touch reaches the
 * control, which may differ from the drawn one. Links inside a sentence are left out: they are as high as its lines.
 */
export async function findSmallTargets(page: Page): Promise<string[]> {
  await waitUntilLoaded(page);
  return page.evaluate((least) => {
    const controls =
      'a[href], button:enabled, input:enabled, select:enabled, summary, [role="menuitem"], [role="option"]';
    const isInSentence = (element: Element) => {
      if (getComputedStyle(element).display !== 'inline') return false;
      let block = element.parentElement;
      while (block && getComputedStyle(block).display === 'inline') block = block.parentElement;
      return block?.textContent?.trim() !== element.textContent?.trim();
    };

    function roomOf(element: Element): string | undefined {
      element.scrollIntoView({ block: 'center', inline: 'center', behavior: 'instant' });
      const { left, top, width, height } = element.getBoundingClientRect();
      const [x, y] = [left + width / 2, top + height / 2];
      const label =
        element.closest('label') ?? document.querySelector(`label[for="${CSS.escape(element.id)}"]`);
      const leadsHere = (atX: number, atY: number): boolean => {
        const touched = document.elementFromPoint(atX, atY);
        return touched !== null && (element.contains(touched) || label?.contains(touched) === true);
      };
      // Something lies above it, such as an open menu.
      if (!leadsHere(x, y)) return undefined;
      const reach = (stepX: number, stepY: number): number => {
        let distance = 1;
        while (distance < least && leadsHere(x + stepX * distance, y + stepY * distance)) distance += 1;
        return distance;
      };
      const [roomX, roomY] = [reach(-1, 0) + reach(1, 0) - 1, reach(0, -1) + reach(0, 1) - 1];
      return roomX < least || roomY < least ? `${roomX} x ${roomY}` : undefined;
    }

    return [...document.querySelectorAll(controls)].flatMap((element) => {
      // One pixel is how something is hidden from the eye and kept for screen readers.
      const isSeen = element.checkVisibility({ visibilityProperty: true }) && element.clientWidth !== 1;
      const room = isSeen && !isInSentence(element) ? roomOf(element) : undefined;
      const name = element.getAttribute('aria-label') ?? element.textContent?.trim() ?? '';
      return room === undefined ? [] : [`${element.tagName} ${name}: ${room}`];
    });
  }, touchMin);
}
