import { defineConfig } from 'vitest/config';

// Each test starts a service and a browser of its own, so few run at once and each may take its time.
export default defineConfig({
  test: {
    include: ['e2e/**/*.test.ts'],
    root: new URL('..', import.meta.url).pathname,
    maxWorkers: 2,
    testTimeout: 180_000,
    hookTimeout: 60_000,
  },
});
