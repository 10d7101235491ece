import { PreferencesBody, PreferencesReply } from '../../wire/dashboard-preferences.ts';
import { answerJson } from '../answer.ts';
import type { Route } from '../endpoint.ts';
import { forSession, SESSION_ROUTE } from './for-session.ts';

const putPreferences = {
  ...SESSION_ROUTE,
  method: 'PUT',
  path: '/dashboard/api/preferences',
  body: PreferencesBody,
  reply: PreferencesReply,
} satisfies Route;

/** The display settings of a person. `GET /dashboard/api/session` returns them. */
export const PREFERENCES_ENDPOINTS = [
  forSession(putPreferences, ({ preferences }) => async ({ who, body }) => {
    const data = await preferences.update(who.session.user.chatId, body);
    return answerJson({ success: true, data });
  }),
];
