import { COMMAND } from '../../command-name.ts';
import { AboutReply } from '../../wire/dashboard.ts';
import { answerJson } from '../answer.ts';
import type { Route } from '../endpoint.ts';
import type { Access } from '../pipeline.ts';
import { type DashboardScope, SESSION_ROUTE } from './scope.ts';

const ANYBODY: Access<void> = { identify: () => undefined };

export const getAbout = {
  ...SESSION_ROUTE,
  access: 'public',
  method: 'GET',
  path: '/dashboard/api/about',
  reply: AboutReply,
} satisfies Route;

/** Facts about this installation that pages show to everybody. */
export function addAbout({ add }: DashboardScope): void {
  const answer = { success: true, data: { command: COMMAND } };
  add(getAbout, ANYBODY, () => answerJson(answer));
}
