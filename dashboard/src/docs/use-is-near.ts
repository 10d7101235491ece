import { type RefObject, startTransition, useEffect, useState } from 'react';
import { whenIdle } from './when-idle.ts';

/** An element counts as near within this distance of the visible part. */
const margin = '800px 0px';

/** True once the element has come near the visible part of the page, or the browser had time to render it. */
export function useIsNear(element: RefObject<HTMLElement | null>): boolean {
  const [isNear, setNear] = useState(false);
  useEffect(() => {
    if (isNear || element.current === null) return;
    const observer = new IntersectionObserver(
      (entries) => {
        if (entries.some(({ isIntersecting }) => isIntersecting)) setNear(true);
      },
      { rootMargin: margin },
    );
    observer.observe(element.current);
    const forget = whenIdle(() => startTransition(() => setNear(true)));
    return () => {
      observer.disconnect();
      forget();
    };
  }, [element, isNear]);
  return isNear;
}
