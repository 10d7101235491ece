import { defineConfig } from 'vitest/config';
import { replyChecks } from './dashboard/reply-checks.ts';
import { texts } from './dashboard/texts-plugin.ts';
import { LongestFirst } from './scripts/test-order.ts';
import { bundledProgram } from './scripts/test-program.ts';
import { bundledThreads } from './scripts/test-threads.ts';

// Only a test that hangs may exceed these: a slow or busy machine is no failure.
const WAIT_MS = 120_000;
const BROWSER_WAIT_MS = 600_000;

export default defineConfig({
  test: {
    // Much of the time goes into waiting for disks and processes, so two cores get more workers than two.
    maxWorkers: 5,
    sequence: { sequencer: LongestFirst },
    // Tests make much that is garbage soon: a larger young generation is collected less often.
    execArgv: ['--max-semi-space-size=64'],
    projects: [
      {
        plugins: [replyChecks(), texts(), bundledThreads(), bundledProgram()],
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
        plugins: [texts(), bundledProgram()],
        test: {
          name: 'browser',
          globalSetup: ['e2e/support/global-setup.ts', 'server/test/postgres/global-setup.ts'],
          isolate: false,
          include: ['e2e/**/*.test.ts'],
          testTimeout: BROWSER_WAIT_MS,
          hookTimeout: BROWSER_WAIT_MS,
        },
      },
    ],
  },
});
