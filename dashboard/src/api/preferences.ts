import type { QueryClient } from '@tanstack/react-query';
import type { Reply } from './replies.ts';
import { request } from './request.ts';
import { type Session, sessionQuery } from './session.ts';

/** The display settings of the person; part of the session's answer. */
export type Preferences = Reply<'PreferencesReply'>['data'];
export type SavedView = Preferences['views'][number];

/** Saves the given preferences and updates all pages. */
export async function savePreferences(
  client: QueryClient,
  session: Session,
  changes: Partial<Preferences>,
): Promise<void> {
  const { data } = await request('PreferencesReply', '/preferences', {
    method: 'PUT',
    body: changes,
    csrfToken: session.csrfToken,
  });
  client.setQueryData(sessionQuery.queryKey, (known) => known && { ...known, preferences: data });
}
