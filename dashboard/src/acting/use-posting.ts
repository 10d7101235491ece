import { useMutation, useQueryClient } from '@tanstack/react-query';
import { useState } from 'react';
import { useSession } from '../access/session-context.ts';
import type { Session } from '../api/session.ts';
import { newIdempotencyKey } from './idempotency-key.ts';

interface PostingInput<Order, Result> {
  guildId: string;
  post: (session: Session, order: Order, idempotencyKey: string) => Promise<Result>;
  onDone: (result: Result, order: Order) => void;
}

/** Posts money by hand, and refreshes everything that shows it. */
export function usePosting<Order, Result>({ guildId, post, onDone }: PostingInput<Order, Result>) {
  const session = useSession();
  const queryClient = useQueryClient();
  // The same key while the dialog is open: a second click, or a retry after a missing answer, posts nothing twice.
  const [idempotencyKey] = useState(newIdempotencyKey);
  return useMutation({
    mutationFn: (order: Order) => post(session, order, idempotencyKey),
    onSuccess: onDone,
    // Also when there was no answer: it may have been posted.
    onSettled: () =>
      Promise.all(
        ['ledger', 'overview', 'audit', 'people', 'search'].map((part) =>
          queryClient.invalidateQueries({ queryKey: ['guilds', guildId, part] }),
        ),
      ),
  });
}
