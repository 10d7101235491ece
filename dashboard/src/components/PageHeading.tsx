import type { ReactNode } from 'react';
import classes from './PageHeading.module.css';
import { usePageTitle } from './use-page-title.ts';

interface PageHeadingProps {
  title: string;
  /** One or two sentences about the purpose of the page. */
  children?: ReactNode;
  /** The single primary action of the page. */
  action?: ReactNode;
}

export function PageHeading({ title, children, action }: PageHeadingProps) {
  usePageTitle(title);
  return (
    <div className={classes.heading}>
      <div className={classes.texts}>
        <h1 className={classes.title}>
          <bdi>{title}</bdi>
        </h1>
        {children && <div className={classes.lead}>{children}</div>}
      </div>
      {action}
    </div>
  );
}
