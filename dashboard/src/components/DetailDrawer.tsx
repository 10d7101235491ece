import { t } from '@lingui/core/macro';
import { ActionIcon, Drawer } from '@mantine/core';
import { useHotkeys } from '@mantine/hooks';
import { IconChevronDown, IconChevronUp } from '@tabler/icons-react';
import type { ReactNode } from 'react';
import classes from './DetailDrawer.module.css';

/** The actions for the previous and the next record; undefined at the ends of the list. */
export interface DrawerSteps {
  onPrevious: (() => void) | undefined;
  onNext: (() => void) | undefined;
}

/** The actions for the neighbours of a record in a list; undefined when the record is not in the list. */
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
  /** The kind of record: "Transaction", "Discharge". */
  title: string;
  /** A dialog is open above the details, which gets the focus and the Escape key. */
  isCovered?: boolean;
  /** The neighbours in the list; absent when the details are not part of a list. */
  steps?: DrawerSteps | undefined;
  children: ReactNode;
}

/** The details of one record, beside its list; on a phone over the full width. */
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
          <Drawer.CloseButton aria-label={t`Close the details`} />
        </div>
        <Drawer.Body className={classes.body}>{children}</Drawer.Body>
      </Drawer.Content>
    </Drawer.Root>
  );
}

/** Buttons for the previous and the next record, with the shortcuts K and J. */
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
        aria-label={t`Previous in the list`}
        disabled={!onPrevious}
        {...(onPrevious && { onClick: onPrevious })}
      >
        <IconChevronUp size={18} stroke={1.7} />
      </ActionIcon>
      <ActionIcon
        variant="subtle"
        color="gray"
        size="lg"
        aria-label={t`Next in the list`}
        disabled={!onNext}
        {...(onNext && { onClick: onNext })}
      >
        <IconChevronDown size={18} stroke={1.7} />
      </ActionIcon>
    </div>
  );
}
