import { type Ref, useEffect, useImperativeHandle, useState } from 'react';
import type { Opened } from './use-opener.ts';

/**
 * Stands for a control that exists elsewhere, as the target of Mantine's menus and popovers. It draws nothing and ignores the
 * attributes that they give it: the control has its own from `useOpener`.
 */
export function OpenerTarget({ target, ref }: { target: HTMLElement; ref?: Ref<HTMLElement> }) {
  useImperativeHandle(ref, () => target, [target]);
  return null;
}

/** The state of a menu for Mantine. It opens after it is mounted, because the focus returns only then when it closes. */
export function useMenuState({ id, isOpen, onChange }: Opened) {
  const [isMounted, setMounted] = useState(false);
  useEffect(() => setMounted(true), []);
  return { id, opened: isOpen && isMounted, onChange };
}
