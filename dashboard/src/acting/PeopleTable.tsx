import { plural, t } from '@lingui/core/macro';
import { Trans } from '@lingui/react/macro';
import { Button, ScrollArea, UnstyledButton } from '@mantine/core';
import { IconX } from '@tabler/icons-react';
import { memo, useState } from 'react';
import type { Recipient } from '../api/posts.ts';
import { Balance } from '../components/Money.tsx';
import { formatMoney, groupCount, placesOf } from '../components/money.ts';
import { Notice } from '../components/Notice.tsx';
import classes from './Acting.module.css';
import type { BalanceChange } from './balance-change.ts';
import type { PayoutRow } from './payout-form.ts';

const rowsShownMax = 100;

interface PeopleTableProps {
  rows: readonly PayoutRow[];
  /** Why the balances are missing. */
  error: Error | null;
  onRemove: (playerId: string) => void;
  onClear: () => void;
}

/** The people of a payout, with the balance of each before and after. */
export function PeopleTable({ rows, error, onRemove, onClear }: PeopleTableProps) {
  const [isWhole, setWhole] = useState(false);
  const inOrder = troubleFirst(rows);
  const shown = isWhole ? inOrder : inOrder.slice(0, rowsShownMax);
  const figures = shown.flatMap(({ person, balance }) => [person?.balance ?? '0', balance?.after ?? '0']);
  const places = Math.max(0, ...figures.map(placesOf));
  return (
    <div>
      <div className={classes.tableHead}>
        <p className={classes.text} role="status">
          {plural(rows.length, { one: '# person', other: '# people' })}
        </p>
        <Button variant="subtle" size="compact-sm" color="gray" onClick={onClear}>
          <Trans>Remove all</Trans>
        </Button>
      </div>
      {error && (
        <Notice tone="danger" title={t`The balances could not be loaded`}>
          {error.message}
        </Notice>
      )}
      <ScrollArea.Autosize
        mah="16rem"
        className={classes.frame ?? ''}
        viewportProps={{ tabIndex: 0, 'aria-label': t`People of the payout`, role: 'region' }}
      >
        <table className={classes.table}>
          <thead>
            <tr>
              <th scope="col">
                <Trans>Person</Trans>
              </th>
              <th scope="col">
                <Trans>Balance now</Trans>
              </th>
              <th scope="col">
                <Trans>After</Trans>
              </th>
              <th scope="col" aria-label={t`Remove`} />
            </tr>
          </thead>
          <tbody>
            {shown.map(({ playerId, person, balance }) => (
              <Row
                key={playerId}
                playerId={playerId}
                person={person}
                after={balance?.after}
                state={balance?.state}
                places={places}
                onRemove={onRemove}
              />
            ))}
          </tbody>
        </table>
      </ScrollArea.Autosize>
      {shown.length < rows.length && (
        <Button variant="subtle" size="compact-sm" mt={4} onClick={() => setWhole(true)}>
          <Trans>Show all {groupCount(rows.length)}</Trans>
        </Button>
      )}
    </div>
  );
}

/** Rows that need a look, then the others, each in the order of the list. */
function troubleFirst(rows: readonly PayoutRow[]): PayoutRow[] {
  const isTrouble = ({ balance }: PayoutRow) => balance !== undefined && balance.state !== 'fine';
  return [...rows.filter(isTrouble), ...rows.filter((row) => !isTrouble(row))];
}

interface RowProps extends Pick<PeopleTableProps, 'onRemove'> {
  playerId: string;
  person: Recipient | undefined;
  after: string | undefined;
  state: BalanceChange['state'] | undefined;
  /** The largest number of decimals in the table. */
  places: number;
}

// A list may have a thousand rows, and every typed digit of the amount draws it again.
const Row = memo(function Row({ playerId, person, after, state, places, onRemove }: RowProps) {
  const name = person?.name ?? playerId;
  return (
    <tr data-state={state}>
      <td>
        <bdi className={classes.name} title={playerId}>
          {name}
        </bdi>
        {person?.hasAccount === false && (
          <span className={classes.note}>
            <Trans>Opens an account</Trans>
          </span>
        )}
        {state === 'refused' && person && (
          <span className={classes.refused}>
            <Trans>Lowest allowed: {formatMoney(person.lowest ?? '0')}</Trans>
          </span>
        )}
      </td>
      <td>{person ? <Balance value={person.balance} places={places} /> : '–'}</td>
      <td>{after === undefined ? '–' : <Balance value={after} places={places} />}</td>
      <td>
        <UnstyledButton
          className={classes.remove ?? ''}
          aria-label={t`Remove ${name}`}
          onClick={() => onRemove(playerId)}
        >
          <IconX size={15} stroke={1.8} aria-hidden="true" />
        </UnstyledButton>
      </td>
    </tr>
  );
});
