import { type ReactNode, startTransition, useEffect, useState } from 'react';

/**
 * Only while the first page of a visit loads. Later pages, and pages that are opened again at a scroll position, render at
 * once, because the position needs their whole height.
 */
let isFirstPage = performance.getEntriesByType?.('navigation')[0]?.toJSON().type === 'navigate';

/** True while the first page of the visit is loading, so that `AfterPaint` renders its content later. */
export const waitsForPaint = () => isFirstPage;

/** Everything that waits for the end of the first page. */
const waiting = new Set<() => void>();

function isLoading(): boolean {
  return document.querySelector('.mantine-Skeleton-root') !== null;
}

/** Waits for the paint of three frames without placeholders: a chart is measured in the first one and may be drawn in the third. */
function watchFrames(framesLeft = 3): void {
  requestAnimationFrame(() => {
    // A timer that is set in a frame fires after its paint.
    setTimeout(() => {
      if (isLoading()) watchFrames();
      else if (framesLeft > 1) watchFrames(framesLeft - 1);
      else endFirstPage();
    });
  });
}

/** Ends the first page: from now on nothing waits. */
function endFirstPage(): void {
  isFirstPage = false;
  startTransition(() => {
    for (const goOn of waiting) goOn();
  });
  waiting.clear();
}

/**
 * True after the first page of the visit was painted without placeholders. Content that waits for it does not delay the first
 * screen, neither by rendering nor by its requests.
 */
export function useIsPainted(): boolean {
  const [isPainted, setPainted] = useState(!isFirstPage);
  useEffect(() => {
    if (isPainted) return;
    const goOn = () => setPainted(true);
    if (!isFirstPage) return startTransition(goOn);
    if (waiting.size === 0) watchFrames();
    waiting.add(goOn);
    return () => {
      waiting.delete(goOn);
    };
  }, [isPainted]);
  return isPainted;
}

/** Renders the lower part of a page after its upper part has been painted. */
export function AfterPaint({ children }: { children: ReactNode }) {
  return useIsPainted() ? children : null;
}
