import { expect } from 'vitest';
import type { DashboardService } from './dashboard-service.ts';

/** The page that a failed sign-in redirects to. */
export const errorPage = (reason: string) => `/dashboard/sign-in?error=${reason}`;

/** Expects that a sign-in callback fails for this reason and creates no session. */
export async function expectNoSession(
  { count }: DashboardService,
  work: () => Promise<{ location: string | null }>,
  reason: string,
): Promise<void> {
  const before = count('session');
  const reply = await work();
  expect(reply.location).toBe(errorPage(reason));
  expect(count('session')).toBe(before);
}
