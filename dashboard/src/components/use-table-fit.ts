import { type RefObject, useLayoutEffect, useState } from 'react';

/** How a table fits into its frame: as it is, with its narrower styles, or only by scrolling. */
export type TableFit = 'whole' | 'tight' | 'wide';

/** Chooses the narrower styles, and then scrolling, only for a table that is too wide without them. */
export function useTableFit(ref: RefObject<HTMLElement | null>): TableFit {
  const [fit, setFit] = useState<TableFit>('whole');
  useLayoutEffect(() => {
    const frame = ref.current;
    const inside = frame?.firstElementChild;
    if (!frame || !inside) return;
    let neededPx = 0;
    const measure = () => {
      const room = frame.clientWidth + 1;
      const width = inside.getBoundingClientRect().width;
      setFit((before) => {
        // The width without the narrower styles is not measurable while they apply, so the last one is remembered.
        if (before === 'whole') neededPx = width;
        if (neededPx <= room) return 'whole';
        return before !== 'whole' && width > room ? 'wide' : 'tight';
      });
    };
    measure();
    const observer = new ResizeObserver(measure);
    observer.observe(frame);
    observer.observe(inside);
    return () => observer.disconnect();
  }, [ref]);
  return fit;
}
