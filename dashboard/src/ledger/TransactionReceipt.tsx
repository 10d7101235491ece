import { t } from '@lingui/core/macro';
import { Trans } from '@lingui/react/macro';
import { Button, CopyButton } from '@mantine/core';
import { IconCertificate, IconCheck, IconCopy, IconDownload } from '@tabler/icons-react';
import { useQuery } from '@tanstack/react-query';
import { useEffect, useState } from 'react';
import { ApiError } from '../api/request.ts';
import { receiptQuery } from '../api/transactions.ts';
import { groupCount } from '../components/money.ts';
import { Notice } from '../components/Notice.tsx';
import { receiptAddress } from '../components/receipt-address.ts';
import { checkReceipt, type ReceiptCheck } from '../receipt/check-receipt.ts';
import classes from './Ledger.module.css';

interface TransactionReceiptProps {
  guildId: string;
  transactionId: string;
  isOwn: boolean;
}

/** The receipt of a transaction: a link to the page that checks it, and its file. */
export function TransactionReceipt({ guildId, transactionId, isOwn }: TransactionReceiptProps) {
  const query = useQuery({
    ...receiptQuery(guildId, transactionId, isOwn),
    retry: 3,
    retryDelay: 1_500,
    // A busy service may take longer than the retries.
    refetchInterval: ({ state }) => (isUnsealed(state.error) ? 3_000 : false),
  });
  const check = useCheck(query.data);
  if (query.isPending) {
    return (
      <Notice tone="info">
        <Trans>The receipt is being made.</Trans>
      </Notice>
    );
  }
  if (query.isError) {
    return <Notice tone="warning">{explain(query.error)}</Notice>;
  }
  if (check === undefined) {
    return (
      <Notice tone="info">
        <Trans>The receipt is being checked.</Trans>
      </Notice>
    );
  }
  const text = JSON.stringify(query.data, null, 2);
  const address = receiptAddress(JSON.stringify(query.data));
  return (
    <Notice tone={check.fault === undefined ? 'info' : 'danger'} title={t`Receipt`}>
      <div className={classes.receiptText}>
        {check.fault === undefined ? heldText(isOwn ? undefined : check.receipt?.size) : check.fault}
      </div>
      <div className={classes.receiptActions}>
        <Button
          component="a"
          href={address}
          target="_blank"
          size="xs"
          leftSection={<IconCertificate size={15} />}
        >
          <Trans>Open it</Trans>
        </Button>
        <CopyButton value={new URL(address, window.location.origin).href} timeout={1500}>
          {({ copied, copy }) => (
            <Button
              variant="default"
              size="xs"
              leftSection={copied ? <IconCheck size={15} /> : <IconCopy size={15} />}
              onClick={copy}
            >
              {copied ? t`Copied` : t`Copy the link`}
            </Button>
          )}
        </CopyButton>
        <Button
          component="a"
          href={`data:application/json;charset=utf-8,${encodeURIComponent(text)}`}
          download={`receipt-${transactionId}.json`}
          variant="default"
          size="xs"
          leftSection={<IconDownload size={15} />}
        >
          <Trans>Download</Trans>
        </Button>
      </div>
    </Notice>
  );
}

/** Checks a receipt of the service, with the key that it names: the latest checkpoint has to contain the transaction. */
function useCheck(receipt: { verifierKey: string } | undefined): ReceiptCheck | undefined {
  const [check, setCheck] = useState<ReceiptCheck>();
  useEffect(() => {
    if (receipt === undefined) return;
    let isPresent = true;
    const key = { verifierKey: receipt.verifierKey, isEntered: true };
    checkReceipt(JSON.stringify(receipt), key).then((result) => {
      if (isPresent) setCheck(result);
    });
    return () => {
      isPresent = false;
    };
  }, [receipt]);
  return check;
}

/** The holder of an account does not see the number of the guild's transactions. */
function heldText(size: number | undefined): string {
  if (size === undefined) return t`Checked in this browser: the latest checkpoint contains this one.`;
  const count = groupCount(size);
  return t`Checked in this browser: the latest checkpoint, of ${count} sealed transactions, contains this one.`;
}

function isUnsealed(error: Error | null): boolean {
  return error instanceof ApiError && error.code === 'not_sealed_yet';
}

function explain(error: Error): string {
  const code = error instanceof ApiError ? error.code : undefined;
  if (isUnsealed(error)) return t`The transaction is not sealed yet. This takes a few seconds.`;
  if (code === 'archived')
    return t`The transaction is archived. Receipts of archived transactions are no longer made.`;
  return t`The receipt could not be made: ${error.message}`;
}
