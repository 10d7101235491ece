import { plural, t } from '@lingui/core/macro';
import { Trans } from '@lingui/react/macro';
import { Button, CloseButton } from '@mantine/core';
import { useDisclosure } from '@mantine/hooks';
import { IconArrowBackUp, IconDownload } from '@tabler/icons-react';
import { lazy, Suspense } from 'react';
import { useMay } from '../access/use-may.ts';
import { selectionExportAddress, type Transaction } from '../api/transactions.ts';
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
    <section className={classes.bar} aria-label={t`Selected transactions`}>
      <p className={classes.count} role="status">
        <strong>{plural(transactions.length, { one: '# selected', other: '# selected' })}</strong>{' '}
        <span className={classes.net}>
          <Trans>
            net <RoundedMoney value={netOf(transactions)} isSigned />
          </Trans>
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
            <Trans>Reverse</Trans>
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
            <Trans>Export selected</Trans>
          </Button>
        )}
        <CloseButton aria-label={t`Clear the selection`} onClick={onClear} />
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
