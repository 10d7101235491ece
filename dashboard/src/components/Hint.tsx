import { type FocusEvent, type PointerEvent, type ReactNode, Suspense, useId, useState } from 'react';
import { createLazy } from './create-lazy.tsx';
import type { HintBubbleProps } from './HintBubble.tsx';

/** The code that places a hint is large, so it is loaded with the first one. Without it, as when offline, the page has no hints. */
export const hintBubble = createLazy<HintBubbleProps>(async () => {
  try {
    return (await import('./HintBubble.tsx')).HintBubble;
  } catch {
    return () => null;
  }
});

interface HintProps {
  label: string;
  /** Shown by a touch as well, where the hint says more than its element. */
  isTouchable?: boolean;
  /** Draws the element with these attributes. */
  children: (target: HintTarget) => ReactNode;
}

export interface HintTarget {
  'aria-describedby': string | undefined;
  onPointerEnter: (event: PointerEvent<HTMLElement>) => void;
  onPointerLeave: (event: PointerEvent<HTMLElement>) => void;
  onPointerUp: (event: PointerEvent<HTMLElement>) => void;
  onFocus: (event: FocusEvent<HTMLElement>) => void;
  onBlur: () => void;
}

/** A short text beside an element while the pointer is on it, or the focus of the keyboard. */
export function Hint({ label, isTouchable = false, children }: HintProps) {
  const id = useId();
  const [target, setTarget] = useState<HTMLElement>();
  const [isOpen, setOpen] = useState(false);
  const open = (element: HTMLElement) => {
    setTarget(element);
    setOpen(true);
  };
  const close = () => setOpen(false);
  const element = children({
    'aria-describedby': isOpen ? id : undefined,
    // A finger enters and leaves with each touch. The bubble stays until the next touch elsewhere.
    onPointerEnter: ({ pointerType, currentTarget }) => {
      if (pointerType !== 'touch') open(currentTarget);
    },
    onPointerLeave: ({ pointerType }) => {
      if (pointerType !== 'touch') close();
    },
    onPointerUp: ({ pointerType, currentTarget }) => {
      if (pointerType === 'touch' && isTouchable) open(currentTarget);
    },
    onFocus: ({ currentTarget }) => {
      if (currentTarget.matches(':focus-visible')) open(currentTarget);
    },
    onBlur: close,
  });
  return (
    <>
      {element}
      {target && (
        <Suspense>
          <hintBubble.Content id={id} target={target} label={label} isOpen={isOpen} onClose={close} />
        </Suspense>
      )}
    </>
  );
}
