import { describe, expect, it } from 'vitest';
import { createManagerCheck } from '../../src/domain/access/manager-check.ts';
import { DomainError } from '../../src/domain/errors.ts';
import type { ManagedGuild, Session } from '../../src/domain/model.ts';
import { aSession, domainError } from '../contract/specimens.ts';
import { createTestClock } from '../support/clock.ts';
import { untilTrue } from '../support/patience.ts';

const MINUTE_MS = 60_000;
const UNAVAILABLE = new DomainError('platform_unavailable');

function toGuild(guildId: string): ManagedGuild {
  return { guildId, name: 'G', icon: undefined, standing: 'owner', chatRoleIds: [] };
}

interface Platform {
  managed: string[];
  asked: number;
  fault: DomainError | undefined;
  /** Holds an answer back. It says what was so when the question came. */
  beforeAnswer: (() => Promise<void>) | undefined;
}

/** Holds the platform's answers back, until the test lets them go one by one. */
function holdAnswers(platform: Platform) {
  const held: (() => void)[] = [];
  platform.beforeAnswer = () => new Promise((resolve) => held.push(resolve));
  return {
    answerNext: () => held.shift()?.(),
    untilAsked: (count: number) => untilTrue(() => platform.asked === count && held.length > 0),
  };
}

/** A check in front of a platform whose answer the test decides, and which counts how often it is asked. */
function createCheck() {
  const clock = createTestClock();
  const platform: Platform = { managed: ['1', '2'], asked: 0, fault: undefined, beforeAnswer: undefined };
  const check = createManagerCheck(
    {
      async askManagedGuilds(): Promise<ManagedGuild[]> {
        platform.asked += 1;
        const { managed, fault } = platform;
        await platform.beforeAnswer?.();
        if (fault !== undefined) {
          throw fault;
        }
        return managed.map(toGuild);
      },
    },
    clock,
  );
  const begin = (): Session => aSession({ createdAtMs: clock.nowMs(), guilds: ['1', '2'].map(toGuild) });
  const idsOf = async (session: Session) =>
    (await check.currentGuilds(session)).map(({ guildId }) => guildId);
  return { check, clock, platform, begin, idsOf };
}

describe('the guilds a person manages', () => {
  it('are those of the sign-in for two minutes, and asked for behind the scenes from then on', async () => {
    const { clock, platform, begin, idsOf } = createCheck();
    const session = begin();
    platform.managed = ['2'];
    clock.advance(2 * MINUTE_MS - 1);
    expect(await idsOf(session)).toEqual(['1', '2']);
    expect(platform.asked).toBe(0);
    clock.advance(1);
    expect(await idsOf(session)).toEqual(['1', '2']);
    expect(platform.asked).toBe(1);
    // The answer has come by now, and counts for this very session, whatever its row still says.
    expect(await idsOf(session)).toEqual(['2']);
    expect(platform.asked).toBe(1);
  });

  it('are never older than five minutes, however long the person was away', async () => {
    const { clock, platform, begin, idsOf } = createCheck();
    const session = begin();
    platform.managed = [];
    clock.advance(5 * MINUTE_MS);
    expect(await idsOf(session)).toEqual([]);
    expect(platform.asked).toBe(1);
  });

  it('are asked for once by requests that come at the same time', async () => {
    const { clock, platform, begin, idsOf } = createCheck();
    const session = begin();
    clock.advance(5 * MINUTE_MS);
    await Promise.all([idsOf(session), idsOf(session), idsOf(session)]);
    expect(platform.asked).toBe(1);
  });

  it('stay while the platform is in trouble, which is asked four times a minute at most, until they are too old', async () => {
    const { clock, platform, begin, idsOf } = createCheck();
    const session = begin();
    platform.fault = UNAVAILABLE;
    clock.advance(2 * MINUTE_MS);
    for (let second = 0; second < 60; second += 1) {
      expect(await idsOf(session)).toEqual(['1', '2']);
      clock.advance(1_000);
    }
    expect(platform.asked).toBe(4);
    clock.advance(2 * MINUTE_MS);
    await expect(idsOf(session)).rejects.toMatchObject(domainError('platform_unavailable'));
    platform.fault = undefined;
    expect(await idsOf(session)).toEqual(['1', '2']);
  });

  it('of two thousand sessions are remembered, and asked for again beyond that', async () => {
    const { clock, platform, begin, idsOf } = createCheck();
    const [first, ...others] = Array.from({ length: 2_001 }, begin);
    clock.advance(5 * MINUTE_MS);
    await idsOf(first ?? begin());
    await Promise.all(others.slice(1).map(idsOf));
    await idsOf(first ?? begin());
    expect(platform.asked).toBe(2_000);
    await Promise.all(others.slice(0, 1).map(idsOf));
    await idsOf(first ?? begin());
    expect(platform.asked).toBe(2_002);
  });
});

describe('the check before a change', () => {
  it('asks the platform each time, and does not take silence for a yes', async () => {
    const { check, platform, begin } = createCheck();
    const session = begin();
    const idsNow = async () => (await check.askGuilds(session)).map(({ guildId }) => guildId);
    expect(await idsNow()).toEqual(['1', '2']);
    platform.managed = ['2'];
    expect(await idsNow()).toEqual(['2']);
    expect(platform.asked).toBe(2);
    platform.fault = UNAVAILABLE;
    await expect(idsNow()).rejects.toMatchObject(UNAVAILABLE);
    platform.fault = undefined;
    expect(await idsNow()).toEqual(['2']);
  });

  it('is never answered by a question that was sent before it, and waits for one that is sent after', async () => {
    const { check, clock, platform, begin, idsOf } = createCheck();
    const session = begin();
    const held = holdAnswers(platform);
    clock.advance(2 * MINUTE_MS);
    // Sent behind the scenes, while the person still manages both.
    expect(await idsOf(session)).toEqual(['1', '2']);
    platform.managed = [];
    const changes = [check.askGuilds(session), check.askGuilds(session), check.askGuilds(session)];
    held.answerNext();
    await held.untilAsked(2);
    // Comes while the second question is under way, so that a third one is needed.
    const last = check.askGuilds(session);
    platform.managed = ['2'];
    held.answerNext();
    expect(await Promise.all(changes)).toEqual([[], [], []]);
    await held.untilAsked(3);
    held.answerNext();
    expect((await last).map(({ guildId }) => guildId)).toEqual(['2']);
    expect(platform.asked).toBe(3);
  });

  it('asks again after a question that failed while it waited', async () => {
    const { check, platform, begin } = createCheck();
    const session = begin();
    const held = holdAnswers(platform);
    platform.fault = UNAVAILABLE;
    const first = check.askGuilds(session);
    const second = check.askGuilds(session);
    platform.fault = undefined;
    held.answerNext();
    await expect(first).rejects.toMatchObject(UNAVAILABLE);
    await held.untilAsked(2);
    held.answerNext();
    expect((await second).map(({ guildId }) => guildId)).toEqual(['1', '2']);
  });

  it('asks twice at the most for any number of changes at once', async () => {
    const { check, platform, begin } = createCheck();
    const session = begin();
    await Promise.all(Array.from({ length: 50 }, () => check.askGuilds(session)));
    expect(platform.asked).toBe(2);
  });
});
