import { t } from '@lingui/core/macro';
import { NativeSelect, Pagination } from '@mantine/core';
import { groupCount } from './money.ts';
import classes from './Pager.module.css';

interface PagerProps {
  /** The label for screen readers, such as "Pages of transactions". */
  label: string;
  page: number;
  limit: number;
  total: number;
  totalPages: number;
  pageSizes: readonly number[];
  onPage: (page: number) => void;
  onLimit: (limit: number) => void;
}

/** The shown range of records, the page size, and links to the other pages. */
export function Pager({ label, page, limit, total, totalPages, pageSizes, onPage, onLimit }: PagerProps) {
  const first = (page - 1) * limit + 1;
  const last = Math.min(page * limit, total);
  const range = `${groupCount(first)}–${groupCount(last)}`;
  const count = groupCount(total);
  const sizes = pageSizes.includes(limit) ? pageSizes : [limit, ...pageSizes];
  return (
    <div className={classes.pager}>
      <p className={classes.range}>{first > total ? t`Past the end of ${count}` : t`${range} of ${count}`}</p>
      <nav aria-label={label} className={classes.pages}>
        {totalPages > 1 && (
          <Pagination
            total={totalPages}
            value={page}
            onChange={onPage}
            siblings={1}
            size="sm"
            getItemProps={(number) => ({ 'aria-label': t`Page ${number}` })}
            getControlProps={(control) => ({
              'aria-label': control === 'next' ? t`Next page` : t`Previous page`,
            })}
          />
        )}
      </nav>
      <NativeSelect
        aria-label={t`Records on a page`}
        size="xs"
        className={classes.size ?? ''}
        data={sizes.map((size) => ({ value: String(size), label: t`${size} per page` }))}
        value={String(limit)}
        onChange={(event) => onLimit(Number(event.currentTarget.value))}
      />
    </div>
  );
}
