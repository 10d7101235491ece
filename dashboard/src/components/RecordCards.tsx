import { t } from '@lingui/core/macro';
import { Trans } from '@lingui/react/macro';
import { Checkbox, VisuallyHidden } from '@mantine/core';
import classes from './RecordCards.module.css';
import { type Column, type RecordListProps, type Selection, toggled } from './record-list.ts';

/** The records as cards, where a table does not fit. */
export function RecordCards<Row, SortBy extends string>(props: RecordListProps<Row, SortBy>) {
  const { caption, rows, columns, idOf, onOpen, isStale = false, selection, hasDenseCards = false } = props;
  return (
    <ul className={classes.cards} aria-label={caption} aria-busy={isStale} data-stale={isStale || undefined}>
      {rows.map((row) => (
        <RecordCard
          key={idOf(row)}
          id={idOf(row)}
          row={row}
          columns={columns}
          onOpen={onOpen}
          selection={selection}
          isDense={hasDenseCards}
        />
      ))}
    </ul>
  );
}

interface RecordCardProps<Row, SortBy extends string> {
  id: string;
  row: Row;
  columns: readonly Column<Row, SortBy>[];
  onOpen: ((row: Row) => void) | undefined;
  selection: Selection<Row> | undefined;
  isDense: boolean;
}

function RecordCard<Row, SortBy extends string>(props: RecordCardProps<Row, SortBy>) {
  const { id, row, columns, onOpen, selection, isDense } = props;
  const [first, ...others] = columns;
  const asides = others.filter(({ isCardAside }) => isCardAside);
  const facts = others.filter(({ isCardAside, isEmpty }) => !isCardAside && !isEmpty?.(row));
  return (
    <li className={classes.card} data-open={onOpen ? true : undefined} data-dense={isDense || undefined}>
      <div className={classes.head}>
        {selection && (
          // biome-ignore lint/a11y/noLabelWithoutControl: the checkbox has a name of its own; the label is its area for fingers.
          <label className={classes.select}>
            <Checkbox
              aria-label={t`Select ${selection.nameOf(row)}`}
              checked={selection.ids.has(id)}
              onChange={() => selection.onChange(toggled(selection.ids, id))}
            />
          </label>
        )}
        {onOpen ? (
          <button type="button" className={classes.open} onClick={() => onOpen(row)}>
            <span className={classes.clamped} dir="auto">
              {first?.render(row)}
            </span>
            <VisuallyHidden>
              <Trans>, show details</Trans>
            </VisuallyHidden>
          </button>
        ) : (
          <span className={classes.name}>
            <span className={classes.clamped} dir="auto">
              {first?.render(row)}
            </span>
          </span>
        )}
        {asides.map(({ id, render }) => (
          <span key={id} className={classes.aside}>
            {render(row)}
          </span>
        ))}
      </div>
      <dl className={classes.facts} data-count={facts.length}>
        {facts.map(({ id, label, kind = 'text', isCardWide, render }) => (
          <div key={id} data-kind={kind} data-wide={isCardWide || undefined}>
            <dt>{label}</dt>
            <dd
              className={kind === 'text' ? (classes.clamped ?? '') : ''}
              dir={kind === 'text' ? 'auto' : undefined}
            >
              {render(row)}
            </dd>
          </div>
        ))}
      </dl>
    </li>
  );
}
