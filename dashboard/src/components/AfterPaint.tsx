import { type ReactNode, startTransition, useEffect, useState } from 'react';

/**
 * Only while the first page of a visit loads. Later pages, and pages that are opened again at a scroll position, render at
 * once, because the position needs their whole height.
 */
let isFirstPage = performance.getEntriesByType?.('navigation')[0]?.toJSON().type === 'navigate';

/** Ends the first page: from now on nothing waits. */
function endFirstPage(): void {
  isFirstPage = false;
}

/** True after the first paint of the page. Rendering that waits for it delays nothing that people see first. */
export function useIsPainted(): boolean {
  const [isPainted, setPainted] = useState(!isFirstPage);
  useEffect(() => {
    if (isPainted) return;
    let timer: ReturnType<typeof setTimeout>;
    // A timer that is set in a frame fires after its paint.
    const frame = requestAnimationFrame(() => {
      timer = setTimeout(() => {
        endFirstPage();
        startTransition(() => setPainted(true));
      });
    });
    return () => {
      cancelAnimationFrame(frame);
      clearTimeout(timer);
    };
  }, [isPainted]);
  return isPainted;
}

/** Renders the lower part of a page after its upper part has been painted. */
export function AfterPaint({ children }: { children: ReactNode }) {
  return useIsPainted() ? children : null;
}
