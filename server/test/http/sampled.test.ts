import { describe, expect, it } from 'vitest';
import { createMetrics } from '../../src/http/metrics.ts';
import { createSampled } from '../../src/http/sampled.ts';
import { createTestClock } from '../support/clock.ts';

describe('a sampled figure', () => {
  it('is read again after fifteen seconds, and later when reading takes long', async () => {
    const clock = createTestClock();
    let [reads, durationMs] = [0, 0];
    const sampled = createSampled(async () => {
      reads += 1;
      clock.advance(durationMs);
      return reads;
    }, clock);
    expect(await sampled()).toBe(1);
    clock.advance(14_999);
    expect(await sampled()).toBe(1);
    durationMs = 2_000;
    clock.advance(1);
    expect(await sampled()).toBe(2);
    // One percent of the time: two seconds of reading in two hundred.
    clock.advance(199_999);
    expect(await sampled()).toBe(2);
    clock.advance(1);
    expect(await sampled()).toBe(3);
  });

  it('is undefined when it could not be read, and comes back', async () => {
    const clock = createTestClock();
    let isBroken = false;
    const sampled = createSampled(async () => {
      if (isBroken) {
        throw new Error('out of reach');
      }
      return 'read';
    }, clock);
    expect(await sampled()).toBe('read');
    isBroken = true;
    clock.advance(15_000);
    expect(await sampled()).toBeUndefined();
    isBroken = false;
    clock.advance(15_000);
    expect(await sampled()).toBe('read');
  });

  it('that is not read in time holds no scrape up: the last one is used, and it is read once', async () => {
    const clock = createTestClock();
    const slow = Promise.withResolvers<string>();
    let reads = 0;
    const sampled = createSampled(() => {
      reads += 1;
      return reads === 1 ? Promise.resolve('first') : slow.promise;
    }, clock);
    expect(await sampled()).toBe('first');
    clock.advance(15_000);
    expect(await Promise.all([sampled(), sampled()])).toEqual(['first', 'first']);
    expect(reads).toBe(2);
    slow.resolve('second');
    expect(await sampled()).toBe('second');
  });

  it('of secrets that is not counted in time holds no scrape up either', async () => {
    const metrics = createMetrics();
    metrics.watchUnreadableSecrets(() => new Promise(() => {}));
    const text = await metrics.text();
    expect(text).toContain('guildbook_build_info{');
    expect(text).not.toMatch(/^guildbook_unreadable_secrets\{/m);
  });
});
