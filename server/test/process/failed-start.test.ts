import { existsSync, writeFileSync } from 'node:fs';
import path from 'node:path';
import { pino } from 'pino';
import { describe, expect, test } from 'vitest';
import { openInSteps } from '../../src/compose/opening.ts';
import { composeService, systemIds } from '../../src/compose.ts';
import { readConfig } from '../../src/config.ts';
import { createTestClock } from '../support/clock.ts';
import { createFolder } from '../support/folder.ts';
import { untilTrue } from '../support/patience.ts';
import { runCommand } from '../support/process.ts';
import { startRedis } from '../support/redis.ts';

const CHAT = { CHAT_CLIENT_ID: 'id', CHAT_CLIENT_SECRET: 'secret' };

/** A folder in which a service with sign-ins cannot start: the key it would encrypt with is damaged. */
function createBrokenFolder() {
  const cwd = createFolder();
  const file = path.join(cwd, 'guildbook.db');
  writeFileSync(path.join(cwd, 'secret.key'), 'short');
  return { cwd, file, env: { ...CHAT, DATABASE_URL: `sqlite:${file}` } };
}

describe('a start that fails after the store was opened', () => {
  test('ends the process with the reason', async () => {
    const { cwd, env } = createBrokenFolder();
    const result = await runCommand(['serve'], { cwd, env: { ...env, PORT: '0' } });
    expect(result.status).toBe(1);
    expect(result.stderr).toContain('secret.key is damaged');
  });

  test('leaves neither the store nor Redis open', async () => {
    const { file, env } = createBrokenFolder();
    const redis = await startRedis();
    const composing = composeService(readConfig({ ...env, REDIS_URL: redis.url }), {
      clock: createTestClock(),
      ids: systemIds,
      logger: pino({ level: 'silent' }),
      redisWaitMs: 60_000,
      onFatal(error) {
        throw error;
      },
    });
    await expect(composing).rejects.toThrow('secret.key is damaged');
    // SQLite removes the log of a store with its last connection.
    expect([existsSync(file), existsSync(`${file}-wal`)]).toEqual([true, false]);
    // The one that asks is the only one, once Redis has noticed that the other is gone.
    await untilTrue(
      async () =>
        String(await redis.send('CLIENT', 'LIST'))
          .trim()
          .split('\n').length === 1,
    );
  });
});

describe('opening in steps', () => {
  test('closes what was opened in reverse order and throws the first error, whatever closing does', async () => {
    const closed: string[] = [];
    const opening = openInSteps(async (onFailure) => {
      onFailure(() => closed.push('first'));
      onFailure(() => Promise.reject(new Error('the second cannot be closed')));
      onFailure(async () => closed.push('third'));
      throw new Error('the fourth cannot be opened');
    });
    await expect(opening).rejects.toThrow('the fourth cannot be opened');
    expect(closed).toEqual(['third', 'first']);
  });

  test('leaves everything open when all steps succeed', async () => {
    const closed: string[] = [];
    const opened = await openInSteps(async (onFailure) => {
      onFailure(() => closed.push('first'));
      return 'open';
    });
    expect([opened, closed]).toEqual(['open', []]);
  });
});
