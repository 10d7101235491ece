import { Trans } from '@lingui/react/macro';
import { Button, Menu } from '@mantine/core';
import {
  IconArrowsExchange,
  IconChevronDown,
  IconFileImport,
  IconPlus,
  IconUsersGroup,
} from '@tabler/icons-react';
import { lazy, Suspense, useState } from 'react';
import { may } from '../access/guild-texts.ts';
import { useHasDraft } from '../access/use-form-draft.ts';
import type { Guild } from '../api/guilds.ts';
import { payoutFormId } from './payout-form.ts';
import { postFormId } from './post-form.ts';

const loadTransaction = () => import('./NewTransactionDialog.tsx');
const loadPayout = () => import('./PayoutDialog.tsx');
const NewTransactionDialog = lazy(async () => ({ default: (await loadTransaction()).NewTransactionDialog }));
const PayoutDialog = lazy(async () => ({ default: (await loadPayout()).PayoutDialog }));

const ImportTransactionsDialog = lazy(async () => ({
  default: (await import('./ImportTransactionsDialog.tsx')).ImportTransactionsDialog,
}));

type Dialog = 'transaction' | 'payout' | 'import';

/** The button of the ledger that posts money by hand. People who only read do not see it. */
export function NewMenu({ guild }: { guild: Guild }) {
  const drafted = useDraftedDialog();
  const [dialog, setDialog] = useState<Dialog | undefined>(drafted);
  if (!may(guild, 'ledger.post')) return null;
  const close = () => setDialog(undefined);
  const load = () => Promise.all([loadTransaction(), loadPayout()]);
  return (
    <>
      <Menu position="bottom-end" width={220} shadow="md" withInitialFocusPlaceholder={false}>
        <Menu.Target>
          <Button
            leftSection={<IconPlus size={17} stroke={2} />}
            rightSection={<IconChevronDown size={15} stroke={1.8} />}
            onMouseEnter={load}
            onFocus={load}
          >
            <Trans>New</Trans>
          </Button>
        </Menu.Target>
        <Menu.Dropdown>
          <Menu.Item
            leftSection={<IconArrowsExchange size={17} stroke={1.7} />}
            onClick={() => setDialog('transaction')}
          >
            <Trans>Transaction</Trans>
          </Menu.Item>
          <Menu.Item
            leftSection={<IconUsersGroup size={17} stroke={1.7} />}
            onClick={() => setDialog('payout')}
          >
            <Trans>Payout to many</Trans>
          </Menu.Item>
          <Menu.Item
            leftSection={<IconFileImport size={17} stroke={1.7} />}
            onClick={() => setDialog('import')}
          >
            <Trans>Import CSV</Trans>
          </Menu.Item>
        </Menu.Dropdown>
      </Menu>
      <Suspense>
        {dialog === 'transaction' && <NewTransactionDialog guild={guild} onClose={close} />}
        {dialog === 'payout' && <PayoutDialog guild={guild} onClose={close} />}
        {dialog === 'import' && <ImportTransactionsDialog guildId={guild.guildId} onClose={close} />}
      </Suspense>
    </>
  );
}

function useDraftedDialog(): Dialog | undefined {
  const hasTransaction = useHasDraft(postFormId());
  const hasPayout = useHasDraft(payoutFormId);
  if (hasTransaction) return 'transaction';
  return hasPayout ? 'payout' : undefined;
}
