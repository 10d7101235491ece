import { type KeyboardEvent, useRef, useState } from 'react';
import type { FocusedPart } from '../charts/BarPlot.tsx';
import { nextPart } from './next-part.ts';

interface Sums {
  deposits: string;
  withdrawals: string;
}

/**
 * Makes the sums of a chart a single Tab stop, so that a keyboard user need not step through sixty links. Arrow keys
 * move between the sums, Home and End to the first and the last.
 */
export function useArrowKeys(bars: readonly Sums[]) {
  const elements = useRef(new Map<string, HTMLElement>());
  const [chosen, setChosen] = useState<FocusedPart>();
  // Most people look for the newest bar, and the chosen one may not exist in another range.
  const stop = nextPart(bars, chosen, undefined);
  const propsOf = (part: FocusedPart) => ({
    ref: (element: HTMLElement | null) => {
      if (element) elements.current.set(nameOf(part), element);
      else elements.current.delete(nameOf(part));
    },
    tabIndex: stop && nameOf(stop) === nameOf(part) ? 0 : -1,
    onKeyDown: (event: KeyboardEvent) => {
      const next = nextPart(bars, part, event.key);
      if (!next) return;
      event.preventDefault();
      setChosen(next);
      elements.current.get(nameOf(next))?.focus();
    },
  });
  return { propsOf };
}

function nameOf({ index, tint }: FocusedPart): string {
  return `${index} ${tint}`;
}
