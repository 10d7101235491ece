import { type MouseEvent, useId, useState } from 'react';

/** A menu or panel that a control opens. */
export interface Opened {
  /** The id of the control. The menu's own id is made from it. */
  id: string;
  target: HTMLElement;
  isOpen: boolean;
  onChange: (isOpen: boolean) => void;
}

/**
 * A control that opens a menu or a panel. The code of both is large, so `load` fetches it when the control is first pointed at or
 * focused. `opened` is undefined until the first click, and then has the place and the state of the menu.
 */
export function useOpener(kind: 'menu' | 'dialog', load: () => Promise<unknown>) {
  const id = useId();
  const [isOpen, setOpen] = useState(false);
  const [target, setTarget] = useState<HTMLElement>();
  // A failed request is repeated when the menu opens, and shows its error then.
  const loadEarly = () => void load().catch(() => {});
  const control = {
    id,
    'aria-haspopup': kind,
    'aria-expanded': isOpen,
    'aria-controls': isOpen ? `${id}-dropdown` : undefined,
    onMouseEnter: loadEarly,
    onFocus: loadEarly,
    onClick: (event: MouseEvent<HTMLElement>) => {
      setTarget(event.currentTarget);
      setOpen(!isOpen);
    },
  } as const;
  const opened: Opened | undefined = target && { id, target, isOpen, onChange: setOpen };
  return { control, opened };
}
