import { type RefObject, useLayoutEffect, useRef, useState } from 'react';

const fits = ['whole', 'tight', 'tighter', 'wide'] as const;

/** How a table fits into its frame: as it is, with narrower styles, with the narrowest ones, or only by scrolling. */
export type TableFit = (typeof fits)[number];

/** Chooses the narrower styles, and then scrolling, only for a table that is too wide without them. */
export function useTableFit(ref: RefObject<HTMLElement | null>): TableFit {
  const [fit, setFit] = useState<TableFit>('whole');
  // The width with other styles than the current ones is not measurable, so the last one of each is remembered.
  const neededPx = useRef<Partial<Record<TableFit, number>>>({});
  useLayoutEffect(() => {
    const frame = ref.current;
    const inside = frame?.firstElementChild;
    if (!frame || !inside) return;
    const measure = () => {
      const room = frame.clientWidth + 1;
      const width = inside.getBoundingClientRect().width;
      // A table that fits fills its frame, so how little it needs is unknown. One that scrolls has the narrowest styles.
      neededPx.current[fit === 'wide' ? 'tighter' : fit] = width > room ? width : 0;
      setFit(fits.find((one) => (neededPx.current[one] ?? 0) <= room) ?? 'wide');
    };
    measure();
    const observer = new ResizeObserver(measure);
    observer.observe(frame);
    observer.observe(inside);
    return () => observer.disconnect();
  }, [ref, fit]);
  return fit;
}
