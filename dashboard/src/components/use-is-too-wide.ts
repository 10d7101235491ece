import { type RefObject, useLayoutEffect, useState } from 'react';

/** True while the content of an element is wider than the element. */
export function useIsTooWide(ref: RefObject<HTMLElement | null>): boolean {
  const [isTooWide, setTooWide] = useState(false);
  useLayoutEffect(() => {
    const frame = ref.current;
    const inside = frame?.firstElementChild;
    if (!frame || !inside) return;
    const measure = () => setTooWide(inside.getBoundingClientRect().width > frame.clientWidth + 1);
    measure();
    const observer = new ResizeObserver(measure);
    observer.observe(frame);
    observer.observe(inside);
    return () => observer.disconnect();
  }, [ref]);
  return isTooWide;
}
