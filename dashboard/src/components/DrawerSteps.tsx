import { ActionIcon } from '@mantine/core';
import { useHotkeys } from '@mantine/hooks';
import { IconChevronDown, IconChevronUp } from '@tabler/icons-react';
import classes from './DrawerSteps.module.css';

interface DrawerStepsProps {
  /** What is on the page, in order. */
  ids: readonly string[];
  shownId: string;
  onShow: (id: string) => void;
}

/** Goes to the record before and to the next one, with the keys K and J too. */
export function DrawerSteps({ ids, shownId, onShow }: DrawerStepsProps) {
  const position = ids.indexOf(shownId);
  const before = position > 0 ? ids[position - 1] : undefined;
  const next = position === -1 ? undefined : ids[position + 1];
  const go = (id: string | undefined) => id !== undefined && onShow(id);
  useHotkeys([
    ['K', () => go(before)],
    ['J', () => go(next)],
  ]);
  if (position === -1) return null;
  return (
    <div className={classes.steps}>
      <ActionIcon
        variant="default"
        size={40}
        aria-label="Previous record"
        disabled={before === undefined}
        onClick={() => go(before)}
      >
        <IconChevronUp size={18} stroke={1.7} />
      </ActionIcon>
      <ActionIcon
        variant="default"
        size={40}
        aria-label="Next record"
        disabled={next === undefined}
        onClick={() => go(next)}
      >
        <IconChevronDown size={18} stroke={1.7} />
      </ActionIcon>
    </div>
  );
}
