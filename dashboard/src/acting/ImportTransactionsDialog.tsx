import { plural, t } from '@lingui/core/macro';
import { Trans } from '@lingui/react/macro';
import { Button } from '@mantine/core';
import { useQueryClient } from '@tanstack/react-query';
import { useState } from 'react';
import { useSession } from '../access/session-context.ts';
import { findRecipients, postTransactions } from '../api/posts.ts';
import { groupCount } from '../components/money.ts';
import { Notice } from '../components/Notice.tsx';
import { CsvImport, type ImportQuestion } from '../imports/CsvImport.tsx';
import { importRowsMax } from '../imports/csv-file.ts';
import { newIdempotencyKey } from './idempotency-key.ts';
import {
  checkTransactions,
  fileKey,
  opensQuestion,
  overdraftQuestion,
  postsOf,
  readTransactions,
} from './transaction-rows.ts';

interface ImportTransactionsDialogProps {
  guildId: string;
  onClose: () => void;
}

const questions: ImportQuestion[] = [
  {
    id: opensQuestion,
    label: (count) =>
      plural(count, {
        one: 'Open an account for the player id that has none yet. I have checked the id',
        other: 'Open accounts for the player ids in # lines that have none yet. I have checked the ids',
      }),
    isNeeded: true,
  },
  {
    id: overdraftQuestion,
    label: () => t`Balances fall below zero. Post them all the same`,
    isNeeded: true,
  },
];

/** Posts the transactions of a CSV file, all of them or none. */
export function ImportTransactionsDialog({ guildId, onClose }: ImportTransactionsDialogProps) {
  const session = useSession();
  const queryClient = useQueryClient();
  // Set when the same lines were posted before: then they are posted again only with another key.
  const [isRepeat, setRepeat] = useState(false);
  const [newKey, setNewKey] = useState<string | undefined>(undefined);
  const refresh = () => queryClient.invalidateQueries({ queryKey: ['guilds', guildId] });
  return (
    <CsvImport
      title={t`Import transactions`}
      help={
        <Trans>
          A CSV file with at most {groupCount(importRowsMax)} lines, which are posted together or not at all.
          The first line names the columns: <code>playerId, name, amount</code>, and if you like{' '}
          <code>quantity</code> and <code>reference</code>. A withdrawal has a minus sign. With a column{' '}
          <code>player</code> instead of <code>playerId</code>, names and chat ids work, too. Times and ids of
          an export are ignored: every line becomes a new transaction.
        </Trans>
      }
      label={(count) =>
        count === 0
          ? t`Import`
          : plural(count, { one: 'Import # transaction', other: 'Import # transactions' })
      }
      headings={[t`Player`, t`Name`, t`Quantity`, t`Amount`]}
      questions={questions}
      read={(text) => {
        setRepeat(false);
        setNewKey(undefined);
        return readTransactions(text);
      }}
      check={async (rows) => {
        const texts = [...new Set(rows.map(({ item }) => item.player))];
        const found = await findRecipients(session, guildId, texts);
        return checkTransactions(rows, new Map(texts.map((text, index) => [text, found[index] ?? []])));
      }}
      write={async (rows, answers) => {
        const transactions = postsOf(rows);
        const idempotencyKey = newKey ?? fileKey(transactions);
        const overdraft = answers.has(overdraftQuestion);
        const order = { transactions, overdraft, idempotencyKey };
        const { isReplayed } = await postTransactions(session, guildId, order).finally(refresh);
        setRepeat(isReplayed);
        return isReplayed
          ? ''
          : plural(rows.length, {
              one: '# transaction was posted.',
              other: '# transactions were posted.',
            });
      }}
      onClose={onClose}
    >
      {isRepeat && (
        <Notice tone="warning" title={t`These lines have been posted before`} isAnnounced>
          <p>
            <Trans>Nothing was posted now. If they are meant to count once more, say so.</Trans>
          </p>
          <Button
            variant="default"
            size="compact-sm"
            mt="xs"
            onClick={() => {
              setNewKey(newIdempotencyKey());
              setRepeat(false);
            }}
          >
            <Trans>Allow to post them again</Trans>
          </Button>
        </Notice>
      )}
    </CsvImport>
  );
}
