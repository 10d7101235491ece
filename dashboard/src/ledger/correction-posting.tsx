import { t } from '@lingui/core/macro';
import { notifications } from '@mantine/notifications';
import { useMutation, useQueryClient } from '@tanstack/react-query';
import { useState } from 'react';
import { useSession } from '../access/session-context.ts';
import { newIdempotencyKey } from '../acting/idempotency-key.ts';
import type { PlayerDetails } from '../api/players.ts';
import { isUndecided } from '../api/request.ts';
import { postCorrection, type Transaction } from '../api/transactions.ts';
import { formatMoney, formatSigned } from '../components/money.ts';
import { Notice } from '../components/Notice.tsx';
import { type CorrectionValues, correctionOf, previewOf } from './correction-form.ts';

// A bot may post in the meantime: the shown balance is never older than this.
export const balanceAgeMsMax = 2_000;

interface PostingInput {
  guildId: string;
  player: PlayerDetails;
  /** Called once it is posted. */
  onClose: () => void;
  /** The transaction to be corrected, if there is one. */
  corrects?: Transaction;
  isOverdraftWanted: boolean;
}

/** Posts a correction, closes the dialog, and refreshes the pages that show the ledger. */
export function usePosting({ guildId, player, corrects, isOverdraftWanted, onClose }: PostingInput) {
  const session = useSession();
  const queryClient = useQueryClient();
  // The same key while the dialog is open: a second click, or a retry after a missing answer, posts nothing twice.
  const [idempotencyKey] = useState(newIdempotencyKey);
  const refresh = (...key: string[]) =>
    queryClient.invalidateQueries({ queryKey: ['guilds', guildId, ...key] });
  return useMutation({
    mutationFn: (values: CorrectionValues) => {
      const correction = correctionOf(values, { corrects: corrects?.transactionId, isOverdraftWanted });
      return postCorrection(session, guildId, {
        playerId: player.playerId,
        correction,
        idempotencyKey,
      });
    },
    onSuccess: ({ balance }, values) => {
      const total = previewOf(values, '0')?.total ?? '0';
      notifications.show({
        title: values.direction === 'deposit' ? t`Deposit posted` : t`Withdrawal posted`,
        message: t`${formatSigned(total)}; the balance is now ${formatMoney(balance)}`,
      });
      onClose();
    },
    // Also when there was no answer: it may have been posted.
    onSettled: () => Promise.all([refresh('ledger'), refresh('overview'), refresh('audit')]),
  });
}

export function PostingFault({ error }: { error: Error }) {
  const isOpen = isUndecided(error);
  return (
    <Notice tone="danger" title={isOpen ? t`No clear answer` : t`Nothing was posted`} isAnnounced>
      {isOpen
        ? t`${error.message} The correction may or may not have been posted. Post it again as it stands: it counts only once.`
        : error.message}
    </Notice>
  );
}
