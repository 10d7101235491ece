import { defineConfig } from 'vitest/config';

/** The tests that break things around the service. They need Linux and root; see docs/testing.md. */
export default defineConfig({
  test: {
    globalSetup: ['server/test/postgres/global-setup.ts'],
    setupFiles: ['server/test/support/setup.ts'],
    include: ['server/test/**/*.fault.ts'],
    // Only a test that hangs may exceed these: a slow machine is no failure.
    testTimeout: 600_000,
    hookTimeout: 180_000,
    fileParallelism: false,
  },
});
