import { type KeyboardEvent, type RefObject, useEffect, useRef, useState } from 'react';
import { followResults, keptTarget, moveSelection, type Results, startKeys } from './result-keys.ts';

interface ResultKeysInput extends Results {
  onOpen: (id: string) => void;
}

interface ResultKeysOutput<Item extends HTMLElement> {
  selectedId: string | null;
  /** For the element of the selected result, which is scrolled into view. */
  selectedRef: RefObject<Item | null>;
  /** For the search field. */
  onKeyDown: (event: KeyboardEvent) => void;
}

/**
 * Keyboard control of a search whose results arrive after the typing. Arrows select, Enter opens. An Enter before the
 * first result is remembered until the result arrives; another text, an arrow, Escape or closing the list cancels it.
 */
export function useResultKeys<Item extends HTMLElement>({
  onOpen,
  ...results
}: ResultKeysInput): ResultKeysOutput<Item> {
  const [held, setHeld] = useState(() => startKeys(results.text));
  const keys = followResults(held, results);
  if (keys !== held) setHeld(keys);
  const target = keptTarget(keys, results);
  useEffect(() => {
    if (target === null) return;
    setHeld((current) => ({ ...current, isEnterKept: false }));
    onOpen(target);
  }, [target, onOpen]);
  const selectedRef = useRef<Item>(null);
  const position = keys.selectedId === null ? -1 : results.ids.indexOf(keys.selectedId);
  useEffect(() => {
    if (position !== -1) selectedRef.current?.scrollIntoView({ block: 'nearest' });
  }, [position]);
  const pressEnter = () => {
    if (!results.isOpen) return;
    if (keys.selectedId !== null) onOpen(keys.selectedId);
    else setHeld({ ...keys, isEnterKept: results.isWaiting });
  };
  const onKeyDown = (event: KeyboardEvent) => {
    // While an input method composes a character, the keys belong to it.
    if (event.nativeEvent.isComposing) return;
    if (event.key === 'Enter') pressEnter();
    else if (event.key === 'ArrowDown') setHeld(moveSelection(keys, results, 1));
    else if (event.key === 'ArrowUp') setHeld(moveSelection(keys, results, -1));
    else if (event.key === 'Escape') setHeld({ ...keys, isEnterKept: false });
    else return;
    if (event.key !== 'Escape') event.preventDefault();
  };
  return { selectedId: keys.selectedId, selectedRef, onKeyDown };
}
