import { describe, expect, it } from 'vitest';
import { createManagerCheck } from '../../src/domain/access/manager-check.ts';
import { DomainError } from '../../src/domain/errors.ts';
import type { ManagedGuild } from '../../src/domain/model.ts';
import { aSession, domainError } from '../contract/specimens.ts';
import { createTestClock } from '../support/clock.ts';

const MINUTE_MS = 60_000;

/** A check in front of a platform whose answer the test decides, and which counts how often it is asked. */
function createCheck() {
  const clock = createTestClock();
  const platform = { managed: ['1', '2'], asked: 0, fault: undefined as DomainError | undefined };
  const check = createManagerCheck(
    {
      async askManagedGuilds(): Promise<ManagedGuild[]> {
        platform.asked += 1;
        if (platform.fault !== undefined) {
          throw platform.fault;
        }
        return platform.managed.map((guildId) => ({ guildId, name: 'G', icon: undefined, role: 'owner' }));
      },
    },
    clock,
  );
  return { check, clock, platform };
}

describe('the check before a change', () => {
  it('asks the platform, and takes its yes for one minute', async () => {
    const { check, clock, platform } = createCheck();
    const session = aSession();
    await check(session, '1');
    clock.advance(MINUTE_MS - 1);
    await check(session, '1');
    expect(platform.asked).toBe(1);
    clock.advance(1);
    await check(session, '1');
    expect(platform.asked).toBe(2);
  });

  it('refuses whoever manages the guild no longer, at each try', async () => {
    const { check, clock, platform } = createCheck();
    const session = aSession();
    await check(session, '1');
    platform.managed = ['2'];
    clock.advance(MINUTE_MS);
    await expect(check(session, '1')).rejects.toMatchObject(domainError('not_guild_manager'));
    await expect(check(session, '1')).rejects.toMatchObject(domainError('not_guild_manager'));
    platform.managed = ['1'];
    await check(session, '1');
  });

  it('takes a yes for that session and that guild alone', async () => {
    const { check, platform } = createCheck();
    const session = aSession();
    await check(session, '1');
    await check(session, '2');
    await check(aSession(), '1');
    expect(platform.asked).toBe(3);
  });

  it('does not take silence for a yes', async () => {
    const { check, platform } = createCheck();
    const session = aSession();
    platform.fault = new DomainError('platform_unavailable');
    await expect(check(session, '1')).rejects.toMatchObject(domainError('platform_unavailable'));
    platform.fault = undefined;
    await check(session, '1');
    expect(platform.asked).toBe(2);
  });

  it('remembers ten thousand, and asks again about the oldest beyond that', async () => {
    const { check, platform } = createCheck();
    const first = aSession();
    await check(first, '1');
    const others = Array.from({ length: 10_000 }, () => aSession());
    await Promise.all(others.slice(1).map((other) => check(other, '1')));
    await check(first, '1');
    expect(platform.asked).toBe(10_000);
    await Promise.all(others.slice(0, 1).map((other) => check(other, '1')));
    await check(first, '1');
    expect(platform.asked).toBe(10_002);
  });
});
