import { useEffect, useRef, useState } from 'react';

const pauseMs = 350;

interface Draft {
  text: string;
  type: (text: string) => void;
  /** Hands over at once what was typed: for Enter, and for leaving the field. */
  commit: () => void;
  /** The same with another text, such as a suggestion. */
  commitText: (text: string) => void;
}

interface DraftOptions {
  /** Waits for Enter or for the field to be left, however long the pause. */
  isPatient?: boolean;
}

/**
 * A text that is being typed, handed over after a short pause. When the value changes from outside, by the
 * back button for example, the text follows.
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
