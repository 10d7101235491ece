import {
  type FocusEvent,
  type MouseEvent,
  type PointerEvent,
  type ReactNode,
  Suspense,
  useId,
  useRef,
  useState,
} from 'react';
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
  onMouseEnter: (event: MouseEvent<HTMLElement>) => void;
  onMouseLeave: () => void;
  onFocus: (event: FocusEvent<HTMLElement>) => void;
  onBlur: () => void;
}

/** A short text beside an element while the pointer is on it, or the focus of the keyboard. */
export function Hint({ label, isTouchable = false, children }: HintProps) {
  const id = useId();
  const [target, setTarget] = useState<HTMLElement>();
  const [isOpen, setOpen] = useState(false);
  const pointerType = useRef('mouse');
  const open = (element: HTMLElement) => {
    setTarget(element);
    setOpen(true);
  };
  const close = () => setOpen(false);
  const element = children({
    'aria-describedby': isOpen ? id : undefined,
    onPointerEnter: (event) => {
      pointerType.current = event.pointerType;
    },
    onMouseEnter: ({ currentTarget }) => {
      if (isTouchable || pointerType.current !== 'touch') open(currentTarget);
    },
    onMouseLeave: close,
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
