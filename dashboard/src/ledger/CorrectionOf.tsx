import { useQuery } from '@tanstack/react-query';
import { playerQuery } from '../api/players.ts';
import type { Transaction } from '../api/transactions.ts';
import { CorrectTransactionDialog } from './CorrectTransactionDialog.tsx';

interface CorrectionOfProps {
  guildId: string;
  transaction: Transaction;
  onClose: () => void;
}

/** A correction of a transaction. The dialog opens once the player's balance is loaded. */
export function CorrectionOf({ guildId, transaction, onClose }: CorrectionOfProps) {
  const { data: player } = useQuery(playerQuery(guildId, transaction.playerId));
  return (
    player && (
      <CorrectTransactionDialog
        guildId={guildId}
        player={player}
        transaction={transaction}
        onClose={onClose}
      />
    )
  );
}
