import { useEffect, useRef, useState } from 'react';

const pauseMs = 200;

interface Draft {
  text: string;
  type: (text: string) => void;
  /** Applies the typed text at once: for Enter, and when the field loses the focus. */
  commit: () => void;
  /** The same with another text, such as a suggestion. */
  commitText: (text: string) => void;
}

export interface Applied {
  /** The present value was applied while the same text was being typed: the history needs one entry for both. */
  isReplacing: boolean;
}

/**
 * The text of a field while it is being typed. It is applied after a short pause. When the value changes from
 * outside, for example by the back button, the text follows. `toValue` gives the value of a text; texts with the same
 * value, such as with a space at the end, stay as they are typed. `toText` gives the text of a value from outside.
 */
export function useDraft(
  value: string,
  onCommit: (value: string, applied: Applied) => void,
  toValue: (text: string) => string = (text) => text,
  toText: (value: string) => string = (value) => value,
): Draft {
  const [text, setText] = useState(toText(value));
  const [lastValue, setLastValue] = useState(value);
  const timer = useRef<ReturnType<typeof setTimeout>>(undefined);
  const appliedWhileTyping = useRef<string>(undefined);
  if (value !== lastValue) {
    setLastValue(value);
    if (toValue(text) !== value) setText(toText(value));
  }
  useEffect(() => () => clearTimeout(timer.current), []);
  const apply = (typed: string) => {
    clearTimeout(timer.current);
    const next = toValue(typed);
    if (next === value) return;
    onCommit(next, { isReplacing: appliedWhileTyping.current === value });
    appliedWhileTyping.current = next;
  };
  const latest = useRef(apply);
  useEffect(() => {
    latest.current = apply;
  });
  const type = (typed: string) => {
    setText(typed);
    clearTimeout(timer.current);
    timer.current = setTimeout(() => latest.current(typed), pauseMs);
  };
  const commitText = (chosen: string) => {
    setText(chosen);
    apply(chosen);
    appliedWhileTyping.current = undefined;
  };
  return { text, type, commit: () => commitText(text), commitText };
}
