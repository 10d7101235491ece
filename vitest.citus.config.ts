import { defineConfig } from 'vitest/config';

/** The tests of the store on a Citus cluster that the run starts itself; see docs/testing.md. */
export default defineConfig({
  test: {
    globalSetup: ['server/test/citus/global-setup.ts'],
    setupFiles: ['server/test/support/setup.ts'],
    include: [
      'server/test/citus/*.citus.ts',
      'server/test/contract/postgres.test.ts',
      'server/test/contract/postgres-properties.test.ts',
      'server/test/http/both-stores.test.ts',
      'server/test/postgres/ledger-api.test.ts',
    ],
    testTimeout: 600_000,
    hookTimeout: 300_000,
    maxWorkers: 2,
  },
});
