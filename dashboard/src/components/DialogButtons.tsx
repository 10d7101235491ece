import { Group } from '@mantine/core';
import type { ReactNode } from 'react';
import classes from './DialogButtons.module.css';

/** The buttons at the end of a dialog. They stay in view while a long form is scrolled. */
export function DialogButtons({ children }: { children: ReactNode }) {
  return (
    <Group justify="flex-end" className={classes.buttons ?? ''}>
      {children}
    </Group>
  );
}
