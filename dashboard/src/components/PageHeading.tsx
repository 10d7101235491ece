import type { ReactNode } from 'react';
import classes from './PageHeading.module.css';
import { usePageTitle } from './use-page-title.ts';

interface PageHeadingProps {
  title: string;
  /** One or two sentences on what the page is for. */
  children?: ReactNode;
  /** The page's one primary action. */
  action?: ReactNode;
}

export function PageHeading({ title, children, action }: PageHeadingProps) {
  usePageTitle(title);
  return (
    <div className={classes.heading}>
      <div className={classes.texts}>
        <h1 className={classes.title}>{title}</h1>
        {children && <p className={classes.lead}>{children}</p>}
      </div>
      {action}
    </div>
  );
}
