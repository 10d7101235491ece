import { plural, t } from '@lingui/core/macro';
import { Trans } from '@lingui/react/macro';
import { NativeSelect, Pagination } from '@mantine/core';
import { useMediaQuery } from '@mantine/hooks';
import { IconSearchOff } from '@tabler/icons-react';
import { useDeferredValue, useMemo, useState } from 'react';
import type { ApiKey } from '../api/keys.ts';
import { EmptyState } from '../components/EmptyState.tsx';
import { lazily } from '../components/lazily.ts';
import { groupCount } from '../components/money.ts';
import { SearchInput } from '../components/SearchInput.tsx';
import { useNow } from '../components/use-now.ts';
import type { OnKeyAction } from './KeyActions.tsx';
import { KeyCards } from './KeyCards.tsx';
import classes from './KeyListing.module.css';
import { KeyTable } from './KeyTable.tsx';
import { type KeyOrdering, pageOfKeys, searchKeys, sortColumns, sortKeys } from './key-list.ts';

const pageSize = 25;
const toolsFrom = 6;

interface KeyListingProps {
  keys: ApiKey[];
  mayRotate: boolean;
  onAction: OnKeyAction;
}

/** The keys of a guild. The service sends all of them, so search, order and pages are computed here. */
export function KeyListing({ keys, mayRotate, onAction }: KeyListingProps) {
  const nowMs = useNow();
  const isNarrow = useMediaQuery('(max-width: 68em)', false, { getInitialValueInEffect: false });
  const [search, setSearch] = useState('');
  const [ordering, setOrdering] = useState<KeyOrdering>({ sortBy: 'created', isDescending: true });
  const [wantedPage, setWantedPage] = useState(1);
  const deferredSearch = useDeferredValue(search);
  const found = useMemo(
    () => sortKeys(searchKeys(keys, deferredSearch), ordering),
    [keys, deferredSearch, ordering],
  );
  const { keys: shown, page, pageCount } = pageOfKeys(found, wantedPage, pageSize);
  const show = (action: () => void) => {
    action();
    setWantedPage(1);
  };
  const onOrder = (next: KeyOrdering) => show(() => setOrdering(next));
  return (
    <>
      {keys.length >= toolsFrom && (
        <div className={classes.tools}>
          <div className={classes.search}>
            <SearchInput
              label={t`Search keys`}
              value={search}
              onChange={(text) => show(() => setSearch(text))}
            />
          </div>
          {isNarrow && <OrderSelect ordering={ordering} onOrder={onOrder} />}
          <p className={classes.count} role="status">
            {found.length === keys.length
              ? plural(keys.length, { one: '# key', other: '# keys' })
              : someOf(groupCount(found.length), keys.length)}
          </p>
        </div>
      )}
      {found.length === 0 && (
        <EmptyState
          icon={<IconSearchOff size={28} stroke={1.6} />}
          title={t`No key matches “${search.trim()}”`}
        >
          <Trans>Search looks at names, prefixes, scopes, creators and states.</Trans>
        </EmptyState>
      )}
      {found.length > 0 &&
        (isNarrow ? (
          <KeyCards keys={shown} nowMs={nowMs} mayRotate={mayRotate} onAction={onAction} />
        ) : (
          <KeyTable
            keys={shown}
            nowMs={nowMs}
            ordering={ordering}
            onOrder={onOrder}
            mayRotate={mayRotate}
            onAction={onAction}
          />
        ))}
      {pageCount > 1 && <Pages page={page} pageCount={pageCount} onChange={setWantedPage} />}
    </>
  );
}

const orderLabels = lazily(
  (): Record<KeyOrdering['sortBy'], [ascending: string, descending: string]> => ({
    name: [t`Name, from A`, t`Name, from Z`],
    created: [t`Oldest first`, t`Newest first`],
    lastUsed: [t`Longest unused first`, t`Last used first`],
    expires: [t`Expiring first`, t`Expiring last`],
  }),
);

interface OrderSelectProps {
  ordering: KeyOrdering;
  onOrder: (ordering: KeyOrdering) => void;
}

function OrderSelect({ ordering, onOrder }: OrderSelectProps) {
  const options = sortColumns.flatMap((sortBy) =>
    [false, true].map((isDescending) => ({
      value: `${sortBy} ${isDescending}`,
      label: orderLabels()[sortBy][isDescending ? 1 : 0],
      ordering: { sortBy, isDescending },
    })),
  );
  return (
    <NativeSelect
      aria-label={t`Order`}
      data={options.map(({ value, label }) => ({ value, label }))}
      value={`${ordering.sortBy} ${ordering.isDescending}`}
      onChange={(event) => {
        const chosen = options.find(({ value }) => value === event.currentTarget.value);
        if (chosen) onOrder(chosen.ordering);
      }}
    />
  );
}

function someOf(found: string, all: number): string {
  return plural(all, { one: `${found} of # key`, other: `${found} of # keys` });
}

interface PagesProps {
  page: number;
  pageCount: number;
  onChange: (page: number) => void;
}

function Pages({ page, pageCount, onChange }: PagesProps) {
  return (
    <nav className={classes.pages} aria-label={t`Pages of keys`}>
      <Pagination
        total={pageCount}
        value={page}
        onChange={onChange}
        siblings={1}
        size="sm"
        getItemProps={(number) => ({ 'aria-label': t`Page ${number}` })}
        getControlProps={(control) => ({
          'aria-label': control === 'next' ? t`Next page` : t`Previous page`,
        })}
      />
    </nav>
  );
}
