import { PROGRAMS, requirePrograms } from './requirements.ts';

// Run before the tests, so that a missing program is said in plain words and once.

const { chromium, postgres, redis, openssl, haproxy } = PROGRAMS;
try {
  requirePrograms('The tests', [chromium, postgres, redis, openssl, haproxy]);
} catch (error) {
  console.error(error instanceof Error ? error.message : error);
  process.exitCode = 1;
}
