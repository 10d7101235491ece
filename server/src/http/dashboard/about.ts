import { COMMAND } from '../../command-name.ts';
import { AboutReply } from '../../wire/dashboard.ts';
import { answerJson } from '../answer.ts';
import type { Route } from '../endpoint.ts';
import { forAnybody } from '../served.ts';
import { SESSION_ROUTE } from './for-session.ts';

const getAbout = {
  ...SESSION_ROUTE,
  access: 'public',
  method: 'GET',
  path: '/dashboard/api/about',
  reply: AboutReply,
} satisfies Route;

const ABOUT = { success: true, data: { command: COMMAND } };

/** Facts about this installation that pages show to everybody. */
export const ABOUT_ENDPOINTS = [forAnybody(getAbout, () => () => answerJson(ABOUT))];
