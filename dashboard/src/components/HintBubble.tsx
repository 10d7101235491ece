import { Tooltip } from '@mantine/core';
import { useEffect } from 'react';
import classes from './HintBubble.module.css';

export interface HintBubbleProps {
  id: string;
  target: HTMLElement;
  label: string;
  isOpen: boolean;
  onClose: () => void;
}

/** The bubble of a hint. The Escape key and a press elsewhere close it. */
export function HintBubble({ id, target, label, isOpen, onClose }: HintBubbleProps) {
  useEffect(() => {
    if (!isOpen) return;
    const ended = new AbortController();
    const { signal } = ended;
    document.addEventListener('keydown', ({ key }) => key === 'Escape' && onClose(), { signal });
    document.addEventListener('pointerdown', (event) => !event.composedPath().includes(target) && onClose(), {
      signal,
    });
    return () => ended.abort();
  }, [isOpen, target, onClose]);
  return (
    <Tooltip
      label={<span id={id}>{label}</span>}
      target={target}
      opened={isOpen}
      multiline
      className={classes.bubble ?? ''}
    />
  );
}
