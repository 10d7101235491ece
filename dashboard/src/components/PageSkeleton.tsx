import { Trans } from '@lingui/react/macro';
import { Skeleton, VisuallyHidden } from '@mantine/core';
import { OfflineState } from './OfflineState.tsx';
import classes from './PageSkeleton.module.css';
import { useIsOffline } from './use-is-offline.ts';

/** The outline of a page while it is loading. */
export function PageSkeleton({ label }: { label: string }) {
  if (useIsOffline()) return <OfflineState />;
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
  if (useIsOffline()) return <OfflineState />;
  return (
    <div className={classes.rows} aria-hidden="true">
      {['one', 'two', 'three', 'four'].map((row) => (
        <Skeleton key={row} height={52} />
      ))}
    </div>
  );
}

/** The outline of a table: headings, and the default number of rows. */
export function TableSkeleton({ rows = 12 }: { rows?: number }) {
  if (useIsOffline()) return <OfflineState />;
  return (
    <div role="status" className={classes.table}>
      <VisuallyHidden>
        <Trans>Loading</Trans>
      </VisuallyHidden>
      <div className={classes.tableRow} aria-hidden="true" data-head>
        <Skeleton height={12} width="30%" />
        <Skeleton height={12} width="12%" />
        <Skeleton height={12} width="12%" />
        <Skeleton height={12} width="14%" />
      </div>
      {Array.from({ length: rows }, (_, index) => `row ${index}`).map((row) => (
        <div key={row} className={classes.tableRow} aria-hidden="true">
          <Skeleton height={14} width="34%" />
          <Skeleton height={14} width="12%" />
          <Skeleton height={14} width="10%" />
          <Skeleton height={14} width="16%" />
        </div>
      ))}
    </div>
  );
}

/** The outline of a row of figures. */
export function FiguresSkeleton({ count }: { count: number }) {
  return (
    <div className={classes.figures} aria-hidden="true">
      {Array.from({ length: count }, (_, index) => `figure ${index}`).map((figure) => (
        <div key={figure} className={classes.figure}>
          <Skeleton height={12} width="45%" />
          <Skeleton height={26} width="70%" mt={10} />
          <Skeleton height={11} width="60%" mt={10} />
        </div>
      ))}
    </div>
  );
}
