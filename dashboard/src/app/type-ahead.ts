/** Keys are collected for at most this long, so that a palette that cannot be loaded swallows no later ones. */
const collectedMsMax = 5_000;

type Key = Pick<KeyboardEvent, 'key' | 'ctrlKey' | 'metaKey' | 'altKey'>;

/** The text after one more key; undefined when the key types nothing. */
export function typeKey(text: string, { key, ctrlKey, metaKey, altKey }: Key): string | undefined {
  if (ctrlKey || metaKey || altKey) return undefined;
  if (key === 'Backspace') return [...text].slice(0, -1).join('');
  return [...key].length === 1 ? text + key : undefined;
}

/** Collects the keys that are typed after a search was opened and before its field has the focus. */
export interface TypeAhead {
  start: () => void;
  /** Ends the collection and returns its text. */
  take: () => string;
}

export function createTypeAhead(target: EventTarget): TypeAhead {
  let text = '';
  let startedAtMs = 0;
  const take = () => {
    target.removeEventListener('keydown', onKeyDown, { capture: true });
    const taken = text;
    text = '';
    return taken;
  };
  function onKeyDown(event: Event): void {
    if (performance.now() - startedAtMs > collectedMsMax) {
      take();
      return;
    }
    // Only listens for `keydown`, whose events have these fields.
    const typed = typeKey(text, event as KeyboardEvent);
    if (typed === undefined) return;
    text = typed;
    event.preventDefault();
    event.stopImmediatePropagation();
  }
  return {
    start() {
      take();
      startedAtMs = performance.now();
      target.addEventListener('keydown', onKeyDown, { capture: true });
    },
    take,
  };
}
