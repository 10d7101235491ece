import { type KeyboardEvent, type RefObject, useEffect, useRef, useState } from 'react';
import { followResults, keptTarget, moveSelection, type Results, startKeys } from './result-keys.ts';

interface ResultKeysInput extends Results {
  onOpen: (id: string) => void;
}

interface ResultKeysOutput<Item extends HTMLElement> {
  selectedId: string | null;
  /** For the element of the selected result, which is kept in view. */
  selectedRef: RefObject<Item | null>;
  /** For the field in which the search is typed. */
  onKeyDown: (event: KeyboardEvent) => void;
}

/**
 * The keys of a search whose results come later than the typing. Arrows select, Enter opens. An Enter that comes
 * before the first result is kept until that is there; another text, an arrow, Escape or closing the list cancels it.
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
    // The keys belong to the input method while it composes a character.
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
