import { t } from '@lingui/core/macro';
import { notifications } from '@mantine/notifications';
import { useMutation } from '@tanstack/react-query';
import { dropAllDrafts } from '../access/form-drafts.ts';
import { announceSignOut } from '../api/query-client.ts';
import { ApiError } from '../api/request.ts';
import { type Session, signOut } from '../api/session.ts';

export function useSignOut(session: Session | null) {
  return useMutation({
    mutationFn: async (options: { isEverywhere: boolean }) => {
      if (!session) return;
      await signOut(session, options).catch((error) => {
        // The session has already ended, perhaps in another tab.
        if (!(error instanceof ApiError && error.status === 401)) throw error;
      });
    },
    onSuccess: () => {
      announceSignOut();
      dropAllDrafts();
      // Reloads the page, so that no data stays in this tab's memory.
      window.location.assign('/dashboard/sign-in?notice=signed-out');
    },
    onError: (error) => {
      notifications.show({ color: 'red', title: t`You are still signed in`, message: error.message });
    },
  });
}
