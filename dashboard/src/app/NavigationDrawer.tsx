import { t } from '@lingui/core/macro';
import { Trans } from '@lingui/react/macro';
import { Drawer } from '@mantine/core';
import type { ReactNode } from 'react';
import classes from './NavigationDrawer.module.css';

interface NavigationDrawerProps {
  isOpen: boolean;
  onClose: () => void;
  children: ReactNode;
}

/** The navigation on small screens. */
export function NavigationDrawer({ isOpen, onClose, children }: NavigationDrawerProps) {
  return (
    <Drawer.Root opened={isOpen} onClose={onClose} size="18rem">
      <Drawer.Overlay />
      <Drawer.Content classNames={{ content: classes.content }}>
        <div className={classes.head}>
          <Drawer.Title className={classes.title}>
            <Trans>Guildbook</Trans>
          </Drawer.Title>
          <Drawer.CloseButton aria-label={t`Close the navigation`} />
        </div>
        <Drawer.Body className={classes.body}>{children}</Drawer.Body>
      </Drawer.Content>
    </Drawer.Root>
  );
}
