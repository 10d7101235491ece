import { defineConfig } from 'vitest/config';

/** The tests that break things around the service. They need Linux and root; see docs/testing.md. */
export default defineConfig({
  test: {
    globalSetup: ['server/test/postgres/global-setup.ts'],
    include: ['server/test/**/*.fault.ts'],
    testTimeout: 120_000,
    hookTimeout: 20_000,
    fileParallelism: false,
  },
});
