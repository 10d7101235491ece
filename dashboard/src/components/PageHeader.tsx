import type { MouseEventHandler, ReactNode } from 'react';
import { Brand } from './Brand.tsx';
import { ColorSchemeSwitch } from './ColorSchemeSwitch.tsx';
import classes from './PageHeader.module.css';

interface PageHeaderProps {
  /** Stands before the brand: the button that opens the navigation on small screens. */
  lead?: ReactNode;
  /** What this page is, beside the product's name. */
  title?: string;
  /** Follows the brand's link without reloading the page, where there is a router. */
  onBrandClick?: MouseEventHandler<HTMLAnchorElement>;
  /** Stands after the brand, at the left: the guild that is being looked at. */
  context?: ReactNode;
  /** Stands at the very end: who is signed in. */
  account?: ReactNode;
  /** Links and buttons before the colour-scheme switch. */
  children?: ReactNode;
}

export function PageHeader({ lead, title, onBrandClick, context, account, children }: PageHeaderProps) {
  return (
    <header className={classes.header}>
      <a href="#content" className={classes.skip}>
        Skip to content
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
