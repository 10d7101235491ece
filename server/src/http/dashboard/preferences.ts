import { PreferencesBody, PreferencesReply } from '../../wire/dashboard-preferences.ts';
import { createSessionAccess } from '../access/session.ts';
import { answerJson } from '../answer.ts';
import type { Route } from '../endpoint.ts';
import { type DashboardScope, SESSION_ROUTE } from './scope.ts';

export const putPreferences = {
  ...SESSION_ROUTE,
  method: 'PUT',
  path: '/dashboard/api/preferences',
  body: PreferencesBody,
  reply: PreferencesReply,
} satisfies Route;

/** How somebody wants the pages to look. The session tells what they chose. */
export function addPreferences({ add, parts }: DashboardScope): void {
  add(putPreferences, createSessionAccess(putPreferences, parts), async ({ who, body }) => {
    const data = await parts.preferences.update(who.session.user.chatId, body);
    return answerJson({ success: true, data });
  });
}
