import type { ReactNode } from 'react';
import { Brand } from './Brand.tsx';
import { ColorSchemeSwitch } from './ColorSchemeSwitch.tsx';
import classes from './PageHeader.module.css';

interface PageHeaderProps {
  /** Stands before the brand: the button that opens the navigation on small screens. */
  lead?: ReactNode;
  /** What this page is, beside the product's name. */
  title?: string;
  /** Links and buttons before the colour-scheme switch. */
  children?: ReactNode;
}

export function PageHeader({ lead, title, children }: PageHeaderProps) {
  return (
    <header className={classes.header}>
      <a href="#content" className={classes.skip}>
        Skip to content
      </a>
      {lead}
      <Brand />
      {title && <span className={classes.title}>{title}</span>}
      <div className={classes.actions}>
        {children}
        <ColorSchemeSwitch />
      </div>
    </header>
  );
}
