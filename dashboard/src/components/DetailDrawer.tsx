import { ActionIcon, Drawer } from '@mantine/core';
import { IconChevronDown, IconChevronUp } from '@tabler/icons-react';
import type { ReactNode } from 'react';
import classes from './DetailDrawer.module.css';

/** The ways to the records before and behind; undefined at an end of the list. */
export interface DrawerSteps {
  onPrevious: (() => void) | undefined;
  onNext: (() => void) | undefined;
}

interface DetailDrawerProps {
  isOpen: boolean;
  onClose: () => void;
  /** What is shown, in words: "Transaction", "Discharge". */
  title: string;
  /** A dialog stands above the details: Escape and the focus belong to that. */
  isCovered?: boolean;
  /** The neighbours in the list; absent where the details stand for themselves. */
  steps?: DrawerSteps;
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
          {steps && <Steps {...steps} />}
          <Drawer.CloseButton aria-label="Close the details" />
        </div>
        <Drawer.Body className={classes.body}>{children}</Drawer.Body>
      </Drawer.Content>
    </Drawer.Root>
  );
}

function Steps({ onPrevious, onNext }: DrawerSteps) {
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
