import { Button, CloseButton } from '@mantine/core';
import { useDisclosure } from '@mantine/hooks';
import { IconArrowBackUp, IconDownload } from '@tabler/icons-react';
import { lazy, Suspense } from 'react';
import { useMay } from '../access/use-may.ts';
import { selectionExportAddress, type Transaction } from '../api/transactions.ts';
import { groupCount } from '../components/money.ts';
import { RoundedMoney } from '../components/RoundedMoney.tsx';
import { calendarZone } from '../components/time-zone.ts';
import classes from './SelectionBar.module.css';
import { isReversible, netOf } from './selection-effect.ts';

const SelectedReversalDialog = lazy(async () => ({
  default: (await import('./SelectedReversalDialog.tsx')).SelectedReversalDialog,
}));

interface SelectionBarProps {
  guildId: string;
  /** The selected transactions. */
  transactions: readonly Transaction[];
  onClear: () => void;
}

/** The actions for the selected transactions, at the bottom of the window. */
export function SelectionBar({ guildId, transactions, onClear }: SelectionBarProps) {
  const mayReverse = useMay('ledger.reverse');
  const mayExport = useMay('export');
  const [isReversing, dialog] = useDisclosure(false);
  if (transactions.length === 0) return null;
  const ids = transactions.map(({ transactionId }) => transactionId);
  const reversible = transactions.filter(isReversible);
  return (
    <section className={classes.bar} aria-label="Selected transactions">
      <p className={classes.count} role="status">
        <strong>{groupCount(transactions.length)} selected</strong>{' '}
        <span className={classes.net}>
          net <RoundedMoney value={netOf(transactions)} isSigned />
        </span>
      </p>
      <div className={classes.actions}>
        {mayReverse && (
          <Button
            variant="default"
            size="sm"
            leftSection={<IconArrowBackUp size={16} stroke={1.8} />}
            disabled={reversible.length === 0}
            onClick={dialog.open}
          >
            Reverse
          </Button>
        )}
        {mayExport && (
          <Button
            component="a"
            href={selectionExportAddress(guildId, ids, calendarZone())}
            download
            variant="default"
            size="sm"
            leftSection={<IconDownload size={16} stroke={1.7} />}
          >
            Export selected
          </Button>
        )}
        <CloseButton aria-label="Clear the selection" onClick={onClear} />
      </div>
      <Suspense>
        {isReversing && (
          <SelectedReversalDialog
            guildId={guildId}
            transactions={reversible}
            leftOut={transactions.length - reversible.length}
            onClose={dialog.close}
            onReversed={onClear}
          />
        )}
      </Suspense>
    </section>
  );
}
