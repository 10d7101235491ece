import { queryOptions } from '@tanstack/react-query';
import { readRecord, readText } from './read.ts';
import { ApiError, request } from './request.ts';

export interface Session {
  user: { chatId: string; name: string };
  csrfToken: string;
  keyLifetimeDaysMax: number;
}

const keyLifetimeDaysDefault = 366;

/** Null while nobody is signed in: that is an answer, not a failure. */
export async function fetchSession(): Promise<Session | null> {
  try {
    return readSession((await request('/session')).data);
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
  await request(path, { method: 'POST', csrfToken: session.csrfToken });
}

function readSession(data: unknown): Session {
  const session = readRecord(data);
  const user = readRecord(session.user);
  const chatId = readText(user.chatId);
  const daysMax = session.keyLifetimeDaysMax;
  return {
    user: { chatId, name: readText(user.name) || chatId },
    csrfToken: readText(session.csrfToken),
    keyLifetimeDaysMax: typeof daysMax === 'number' ? daysMax : keyLifetimeDaysDefault,
  };
}
