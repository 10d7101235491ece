import { defineConfig } from 'vitest/config';
import { replyChecks } from './dashboard/reply-checks.ts';

// Only a test that hangs may exceed these: a slow or busy machine is no failure.
const WAIT_MS = 120_000;
const BROWSER_WAIT_MS = 600_000;

export default defineConfig({
  test: {
    // Much of the time goes into waiting for disks and processes, so every core gets a worker.
    maxWorkers: 3,
    projects: [
      {
        plugins: [replyChecks()],
        test: {
          name: 'code',
          globalSetup: ['server/test/postgres/global-setup.ts'],
          setupFiles: ['server/test/support/setup.ts'],
          isolate: false,
          include: ['server/test/**/*.test.ts', 'client/test/**/*.test.ts', 'dashboard/test/**/*.test.ts'],
          testTimeout: WAIT_MS,
          hookTimeout: WAIT_MS,
        },
      },
      {
        test: {
          name: 'browser',
          globalSetup: ['e2e/support/global-setup.ts'],
          include: ['e2e/**/*.test.ts'],
          testTimeout: BROWSER_WAIT_MS,
          hookTimeout: BROWSER_WAIT_MS,
        },
      },
    ],
  },
});
