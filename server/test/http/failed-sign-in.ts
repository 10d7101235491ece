import { expect } from 'vitest';
import type { DashboardService } from './dashboard-service.ts';

/** Where a sign-in that failed leads. */
export const errorPage = (reason: string) => `/dashboard/sign-in?error=${reason}`;

/** What a callback that must not succeed leaves behind: nothing. */
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
