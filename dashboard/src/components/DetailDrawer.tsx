import { ActionIcon, Drawer } from '@mantine/core';
import { useHotkeys } from '@mantine/hooks';
import { IconChevronDown, IconChevronUp } from '@tabler/icons-react';
import type { ReactNode } from 'react';
import classes from './DetailDrawer.module.css';

/** The ways to the records before and behind; undefined at an end of the list. */
export interface DrawerSteps {
  onPrevious: (() => void) | undefined;
  onNext: (() => void) | undefined;
}

/** The ways from one record of a list to its neighbours; undefined where it is not in the list. */
export function stepsAmong(
  ids: readonly string[],
  shownId: string | undefined,
  onShow: (id: string) => void,
): DrawerSteps | undefined {
  const place = shownId === undefined ? -1 : ids.indexOf(shownId);
  if (place === -1) return undefined;
  const step = (id: string | undefined) => (id === undefined ? undefined : () => onShow(id));
  return { onPrevious: step(ids[place - 1]), onNext: step(ids[place + 1]) };
}

interface DetailDrawerProps {
  isOpen: boolean;
  onClose: () => void;
  /** What is shown, in words: "Transaction", "Discharge". */
  title: string;
  /** A dialog stands above the details: Escape and the focus belong to that. */
  isCovered?: boolean;
  /** The neighbours in the list; absent where the details stand for themselves. */
  steps?: DrawerSteps | undefined;
  children: ReactNode;
}

/** The details of one record, beside the list it was opened from; the whole width on a phone. */
export function DetailDrawer({
  isOpen,
  onClose,
  title,
  isCovered = false,
  steps,
  children,
}: DetailDrawerProps) {
  return (
    <Drawer.Root
      opened={isOpen}
      onClose={onClose}
      position="right"
      size="min(28rem, 100%)"
      closeOnEscape={!isCovered}
      trapFocus={!isCovered}
    >
      <Drawer.Overlay backgroundOpacity={0.35} />
      <Drawer.Content classNames={{ content: classes.content }}>
        <div className={classes.head}>
          <Drawer.Title className={classes.title}>{title}</Drawer.Title>
          {steps && !isCovered && <Steps {...steps} />}
          <Drawer.CloseButton aria-label="Close the details" />
        </div>
        <Drawer.Body className={classes.body}>{children}</Drawer.Body>
      </Drawer.Content>
    </Drawer.Root>
  );
}

/** Goes to the one before and to the next one, with the keys K and J too. */
function Steps({ onPrevious, onNext }: DrawerSteps) {
  useHotkeys([
    ['K', () => onPrevious?.()],
    ['J', () => onNext?.()],
  ]);
  return (
    <div className={classes.steps}>
      <ActionIcon
        variant="subtle"
        color="gray"
        size="lg"
        aria-label="Previous in the list"
        disabled={!onPrevious}
        {...(onPrevious && { onClick: onPrevious })}
      >
        <IconChevronUp size={18} stroke={1.7} />
      </ActionIcon>
      <ActionIcon
        variant="subtle"
        color="gray"
        size="lg"
        aria-label="Next in the list"
        disabled={!onNext}
        {...(onNext && { onClick: onNext })}
      >
        <IconChevronDown size={18} stroke={1.7} />
      </ActionIcon>
    </div>
  );
}
