import { queryOptions } from '@tanstack/react-query';
import { sessionPath } from './first-paths.ts';
import type { Reply } from './replies.ts';
import { ApiError, request } from './request.ts';

export type Session = Reply<'SessionReply'>['data'];

/** Null while nobody is signed in: that is an answer, not an error. */
export async function fetchSession(): Promise<Session | null> {
  try {
    return (await request('SessionReply', sessionPath)).data;
  } catch (error) {
    if (error instanceof ApiError && error.status === 401) return null;
    throw error;
  }
}

export const sessionQuery = queryOptions({
  queryKey: ['session'],
  queryFn: fetchSession,
  staleTime: Number.POSITIVE_INFINITY,
  // Another tab may have signed out, or in as someone else.
  refetchOnWindowFocus: 'always',
});

export async function signOut(session: Session, { isEverywhere }: { isEverywhere: boolean }): Promise<void> {
  const path = isEverywhere ? '/sign-out-everywhere' : '/sign-out';
  await request('DoneReply', path, { method: 'POST', csrfToken: session.csrfToken });
}
