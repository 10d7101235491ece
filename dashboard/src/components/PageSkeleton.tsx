import { Skeleton, VisuallyHidden } from '@mantine/core';
import classes from './PageSkeleton.module.css';

/** The outline of a page while its content is on its way. */
export function PageSkeleton({ label }: { label: string }) {
  return (
    <div role="status">
      <VisuallyHidden>{label}</VisuallyHidden>
      <div className={classes.head} aria-hidden="true">
        <Skeleton height={28} width="14rem" />
        <Skeleton height={16} width="22rem" maw="100%" />
      </div>
      <RowsSkeleton />
    </div>
  );
}

export function RowsSkeleton() {
  return (
    <div className={classes.rows} aria-hidden="true">
      {['one', 'two', 'three', 'four'].map((row) => (
        <Skeleton key={row} height={52} />
      ))}
    </div>
  );
}
