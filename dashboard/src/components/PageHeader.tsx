import { Trans } from '@lingui/react/macro';
import type { MouseEventHandler, ReactNode } from 'react';
import { Brand } from './Brand.tsx';
import { ColorSchemeSwitch } from './ColorSchemeSwitch.tsx';
import classes from './PageHeader.module.css';

interface PageHeaderProps {
  /** Before the brand: the button that opens the navigation on small screens. */
  lead?: ReactNode;
  /** The name of this page, after the product's name. */
  title?: string;
  /** Navigates without reloading the page, on pages with a router. */
  onBrandClick?: MouseEventHandler<HTMLAnchorElement>;
  /** After the brand: the present guild. */
  context?: ReactNode;
  /** At the very end: the signed-in person. */
  account?: ReactNode;
  /** Links and buttons before the colour scheme switch. */
  children?: ReactNode;
}

export function PageHeader({ lead, title, onBrandClick, context, account, children }: PageHeaderProps) {
  return (
    <header className={classes.header}>
      <a href="#content" className={classes.skip}>
        <Trans>Skip to content</Trans>
      </a>
      {lead}
      <Brand onClick={onBrandClick} />
      {title && <span className={classes.title}>{title}</span>}
      {context}
      <div className={classes.actions}>
        {children}
        <ColorSchemeSwitch />
        {account}
      </div>
    </header>
  );
}
