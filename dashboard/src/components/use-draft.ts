import { useEffect, useRef, useState } from 'react';

const pauseMs = 350;

interface Draft {
  text: string;
  type: (text: string) => void;
  /** Applies the typed text at once: for Enter, and when the field loses the focus. */
  commit: () => void;
  /** The same with another text, such as a suggestion. */
  commitText: (text: string) => void;
}

interface DraftOptions {
  /** Applies the text only on Enter or when the field loses the focus, not after a pause. */
  isPatient?: boolean;
}

/**
 * The text of a field while it is being typed. It is applied after a short pause. When the value changes from
 * outside, for example by the back button, the text follows.
 */
export function useDraft(
  value: string,
  onCommit: (value: string) => void,
  { isPatient = false }: DraftOptions = {},
): Draft {
  const [text, setText] = useState(value);
  const [lastValue, setLastValue] = useState(value);
  const timer = useRef<ReturnType<typeof setTimeout>>(undefined);
  if (value !== lastValue) {
    setLastValue(value);
    setText(value);
  }
  useEffect(() => () => clearTimeout(timer.current), []);
  const handOver = (typed: string) => {
    clearTimeout(timer.current);
    if (typed !== value) onCommit(typed);
  };
  const latest = useRef(handOver);
  useEffect(() => {
    latest.current = handOver;
  });
  const type = (typed: string) => {
    setText(typed);
    clearTimeout(timer.current);
    if (!isPatient) timer.current = setTimeout(() => latest.current(typed), pauseMs);
  };
  const commitText = (chosen: string) => {
    setText(chosen);
    handOver(chosen);
  };
  return { text, type, commit: () => handOver(text), commitText };
}
