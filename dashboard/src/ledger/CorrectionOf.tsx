import { useQuery } from '@tanstack/react-query';
import { playerQuery } from '../api/players.ts';
import type { Transaction } from '../api/transactions.ts';
import { CorrectionDialog } from './CorrectionDialog.tsx';

interface CorrectionOfProps {
  guildId: string;
  transaction: Transaction;
  onClose: () => void;
}

/** A correction of a transaction. The dialog opens once the player's balance is loaded. */
export function CorrectionOf({ guildId, transaction, onClose }: CorrectionOfProps) {
  const { data: player } = useQuery(playerQuery(guildId, transaction.playerId));
  return (
    player && <CorrectionDialog guildId={guildId} player={player} corrects={transaction} onClose={onClose} />
  );
}
