import { Drawer } from '@mantine/core';
import type { ReactNode } from 'react';
import classes from './DetailDrawer.module.css';

interface DetailDrawerProps {
  isOpen: boolean;
  onClose: () => void;
  /** What is shown, in words: "Transaction", "Discharge". */
  title: string;
  /** A dialog stands above the details: Escape and the focus belong to that. */
  isCovered?: boolean;
  children: ReactNode;
}

/** The details of one record, beside the list it was opened from; the whole width on a phone. */
export function DetailDrawer({ isOpen, onClose, title, isCovered = false, children }: DetailDrawerProps) {
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
          <Drawer.CloseButton aria-label="Close the details" />
        </div>
        <Drawer.Body className={classes.body}>{children}</Drawer.Body>
      </Drawer.Content>
    </Drawer.Root>
  );
}
