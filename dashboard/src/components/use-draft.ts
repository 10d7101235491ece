import { useEffect, useRef, useState } from 'react';

const pauseMs = 350;

interface Draft {
  text: string;
  type: (text: string) => void;
  /** Hands over at once what was typed: for Enter, and for leaving the field. */
  commit: () => void;
}

/**
 * A text that is being typed, handed over after a short pause. When the value changes from outside, by the
 * back button for example, the text follows.
 */
export function useDraft(value: string, onCommit: (value: string) => void): Draft {
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
    timer.current = setTimeout(() => latest.current(typed), pauseMs);
  };
  return { text, type, commit: () => handOver(text) };
}
