import { Button, CloseButton, ScrollArea } from '@mantine/core';
import { Balance } from '../components/Money.tsx';
import { formatMoney, groupCount, placesOf } from '../components/money.ts';
import { Notice } from '../components/Notice.tsx';
import classes from './Acting.module.css';
import type { PayoutRow } from './payout-form.ts';

interface PeopleTableProps {
  rows: readonly PayoutRow[];
  /** Why the balances are missing. */
  error: Error | null;
  onRemove: (playerId: string) => void;
  onClear: () => void;
}

/** The people of a payout, with the balance of each before and after. */
export function PeopleTable({ rows, error, onRemove, onClear }: PeopleTableProps) {
  const shown = rows.flatMap(({ person, balance }) => [person?.balance ?? '0', balance?.after ?? '0']);
  const places = Math.max(0, ...shown.map(placesOf));
  return (
    <div>
      <div className={classes.tableHead}>
        <p className={classes.text} role="status">
          {groupCount(rows.length)} {rows.length === 1 ? 'person' : 'people'}
        </p>
        <Button variant="subtle" size="compact-sm" color="gray" onClick={onClear}>
          Remove all
        </Button>
      </div>
      {error && (
        <Notice tone="danger" title="The balances could not be loaded">
          {error.message}
        </Notice>
      )}
      <ScrollArea.Autosize
        mah="16rem"
        className={classes.frame ?? ''}
        viewportProps={{ tabIndex: 0, 'aria-label': 'People of the payout', role: 'region' }}
      >
        <table className={classes.table}>
          <thead>
            <tr>
              <th scope="col">Person</th>
              <th scope="col">Balance now</th>
              <th scope="col">After</th>
              <th scope="col" aria-label="Remove" />
            </tr>
          </thead>
          <tbody>
            {rows.map((row) => (
              <Row key={row.playerId} row={row} places={places} onRemove={onRemove} />
            ))}
          </tbody>
        </table>
      </ScrollArea.Autosize>
    </div>
  );
}

interface RowProps extends Pick<PeopleTableProps, 'onRemove'> {
  row: PayoutRow;
  /** The largest number of decimals in the table. */
  places: number;
}

function Row({ row: { playerId, person, balance }, places, onRemove }: RowProps) {
  const name = person?.name ?? playerId;
  return (
    <tr data-state={balance?.state}>
      <td>
        <bdi className={classes.name} title={playerId}>
          {name}
        </bdi>
        {person?.hasAccount === false && <span className={classes.note}>Opens an account</span>}
        {balance?.state === 'refused' && person && (
          <span className={classes.refused}>Lowest allowed: {formatMoney(person.lowest ?? '0')}</span>
        )}
      </td>
      <td>{person ? <Balance value={person.balance} places={places} /> : '–'}</td>
      <td>{balance ? <Balance value={balance.after} places={places} /> : '–'}</td>
      <td>
        <CloseButton size="sm" aria-label={`Remove ${name}`} onClick={() => onRemove(playerId)} />
      </td>
    </tr>
  );
}
