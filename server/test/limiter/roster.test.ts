import fc from 'fast-check';
import { expect, it, onTestFinished } from 'vitest';
import type { Announcement, InstanceStore } from '../../src/domain/access/instances.ts';
import { EXACT_WINDOW_MS, openRoster, type Roster } from '../../src/limiter/roster.ts';
import { depth } from '../support/depth.ts';

const WAIT_MS = 250;
const POLL_MS = 250;
/** The longest time that the list of a running instance is old here, which is less than it may be. */
const READ_EVERY_MS = 2 * POLL_MS;
const LIMIT = 10;
const MINUTE_MS = 60_000;
const STEP_MS = 125;
const CASES = depth({ normal: 50, deep: 1_000 });

function createPlace() {
  let nowMs = 1_000_000;
  const rows = new Map<string, Announcement>();
  const instances: InstanceStore = {
    announce: async (instance) => void rows.set(instance.instanceId, instance),
    list: async () => [...rows.values()],
  };
  const clock = { monotonicMs: () => nowMs, nowMs: () => nowMs };
  return {
    clock,
    instances,
    advance(ms: number) {
      nowMs += ms;
    },
    open: (instanceId: string, isApart: () => boolean = () => false) =>
      openRoster({ store: instances, clock, instanceId, waitMs: WAIT_MS, isApart }),
  };
}

type Place = ReturnType<typeof createPlace>;

/** Lets time pass as it does for instances that read the list again and again. */
async function pass(place: Place, rosters: readonly Roster[], ms: number): Promise<void> {
  for (let passed = 0; passed < ms; passed += POLL_MS) {
    place.advance(POLL_MS);
    for (const roster of rosters) {
      await roster.refresh();
    }
  }
}

async function openMany(count: number, isApart: () => boolean = () => false) {
  const place = createPlace();
  const rosters: Roster[] = [];
  for (let index = 0; index < count; index += 1) {
    rosters.push(await place.open(`instance-${String(index).padStart(2, '0')}`, isApart));
  }
  onTestFinished(async () => {
    await Promise.all(rosters.map((roster) => roster.close()));
  });
  await pass(place, rosters, 5_000);
  return { place, rosters };
}

it.each([
  [1, [10]],
  [3, [4, 3, 3]],
  [4, [3, 3, 2, 2]],
  [10, Array(10).fill(1)],
  [12, [...Array(10).fill(1), 0, 0]],
])('the shares of %d instances add up to the limit', async (count, shares) => {
  const { rosters } = await openMany(count);
  expect(rosters.map((roster) => roster.shareOf(LIMIT))).toEqual(shares);
  expect(rosters.map((roster) => roster.sharedPartOf(LIMIT))).toEqual(Array(count).fill(LIMIT));
});

it('an instance that was not seen for a minute is gone, and none is gone while the list cannot be read', async () => {
  const { place, rosters } = await openMany(1);
  const [first] = rosters;
  await place.instances.announce({ instanceId: 'crashed', seenAtMs: place.clock.nowMs(), state: 'shared' });
  await pass(place, rosters, MINUTE_MS / 2);
  expect(first?.shareOf(LIMIT)).toBe(5);
  // Nothing is read for a long time, and then once.
  place.advance(10 * MINUTE_MS);
  await first?.refresh();
  expect(first?.shareOf(LIMIT)).toBe(5);
  await pass(place, rosters, MINUTE_MS);
  expect(first?.shareOf(LIMIT)).toBe(LIMIT);
});

it('an instance that is stopped leaves its share to the others', async () => {
  const { place, rosters } = await openMany(1);
  const [first] = rosters;
  await place.instances.announce({ instanceId: 'apart', seenAtMs: place.clock.nowMs(), state: 'apart' });
  await pass(place, rosters, 5_000);
  expect([first?.shareOf(LIMIT), first?.sharedPartOf(LIMIT)]).toEqual([5, 5]);
  await place.instances.announce({ instanceId: 'apart', seenAtMs: place.clock.nowMs(), state: 'left' });
  await first?.refresh();
  expect([first?.shareOf(LIMIT), first?.sharedPartOf(LIMIT)]).toEqual([5, LIMIT]);
  await pass(place, rosters, 5_000);
  expect([first?.shareOf(LIMIT), first?.sharedPartOf(LIMIT)]).toEqual([LIMIT, LIMIT]);
});

it('the only instance uses its whole limit as soon as it is apart, and one of two waits for the other', async () => {
  let isApart = false;
  const { rosters: alone } = await openMany(1, () => isApart);
  const { place, rosters: both } = await openMany(2, () => isApart);
  isApart = true;
  for (const roster of [...alone, ...both]) {
    expect(roster.settlesInMs()).toBeUndefined();
    await roster.refresh();
  }
  expect(alone[0]?.settlesInMs()).toBe(0);
  expect(both[0]?.settlesInMs()).toBeGreaterThan(EXACT_WINDOW_MS);
  await pass(place, both, 2_000);
  expect(both.map((roster) => roster.settlesInMs())).toEqual([0, 0]);
  expect(both.map((roster) => roster.shareOf(LIMIT))).toEqual([5, 5]);
  expect(both.map((roster) => roster.sharedPartOf(LIMIT))).toEqual([0, 0]);
});

interface Instance {
  id: string;
  roster: Roster;
  isOut: boolean;
  aloneAtMs: number;
  readAtMs: number;
}

/** The shares that instances which are apart may use at a moment, and the parts that the others ask of Redis. */
interface Allowed {
  atMs: number;
  shares: Map<string, number>;
  parts: Map<string, number>;
}

const STEPS = fc.array(
  fc.record({
    instance: fc.nat(5),
    action: fc.constantFrom('start', 'crash', 'stop', 'lose', 'lose', 'reach', 'reach', 'read', 'read'),
    passMs: fc.oneof(fc.integer({ min: 0, max: 400 }), fc.constantFrom(0, 1_000, 3_000, 20_000)),
  }),
  { minLength: 20, maxLength: 120, size: 'max' },
);

it('whatever instances start, stop, lose Redis and find it, no second allows more than the limit', async () => {
  await fc.assert(
    fc.asyncProperty(STEPS, async (steps) => {
      const place = createPlace();
      const running = new Map<number, Instance>();
      const crashed: Instance[] = [];
      const history: Allowed[] = [];
      const now = () => place.clock.monotonicMs();
      const isApart = ({ isOut, aloneAtMs }: Omit<Instance, 'roster'>) =>
        isOut || now() - aloneAtMs <= EXACT_WINDOW_MS;

      async function read(instance: Instance): Promise<void> {
        instance.readAtMs = now();
        await instance.roster.refresh();
      }

      async function start(index: number): Promise<void> {
        const state = { id: `${index} ${now()}`, isOut: false, aloneAtMs: -MINUTE_MS, readAtMs: now() };
        const roster = await place.open(state.id, () => isApart(state));
        const made = Object.assign(state, { roster });
        running.set(index, made);
      }

      /** As a service does that is stopped. */
      async function stop(instance: Instance): Promise<void> {
        while (now() - instance.aloneAtMs <= EXACT_WINDOW_MS) {
          await passTime(STEP_MS);
        }
        await instance.roster.close();
      }

      /** Everything that could be admitted now is. */
      function use(): void {
        const shares = new Map<string, number>();
        const parts = new Map<string, number>();
        for (const instance of running.values()) {
          const { roster, isOut, id } = instance;
          if (isOut && roster.settlesInMs() === 0) {
            instance.aloneAtMs = now();
            shares.set(id, roster.shareOf(LIMIT));
          } else if (!isOut) {
            parts.set(id, roster.sharedPartOf(LIMIT));
          }
        }
        history.push({ atMs: now(), shares, parts });
      }

      async function passTime(ms: number): Promise<void> {
        for (let left = ms; left > 0; left -= STEP_MS) {
          place.advance(Math.min(left, STEP_MS));
          for (const instance of running.values()) {
            if (now() - instance.readAtMs >= READ_EVERY_MS) {
              await read(instance);
            }
          }
          use();
        }
      }

      for (const { instance: index, action, passMs } of steps) {
        const instance = running.get(index);
        if (instance === undefined) {
          await (action === 'start' ? start(index) : undefined);
        } else if (action === 'stop' || action === 'crash') {
          running.delete(index);
          await (action === 'stop' ? stop(instance) : crashed.push(instance));
        } else if (action === 'lose' || action === 'reach') {
          instance.isOut = action === 'lose';
        } else {
          await read(instance);
        }
        use();
        await passTime(passMs);
      }
      for (const { roster } of [...crashed, ...running.values()]) {
        await roster.close();
      }
      expect(mostAllowed(history)).toBeLessThanOrEqual(LIMIT);
    }),
    { numRuns: CASES },
  );
});

/**
 * The most that any window of a second allows. A request at Redis may be decided up to WAIT_MS after it was sent. An instance counts the
 * requests that Redis admitted before it decides alone, so that these are part of its share.
 */
function mostAllowed(history: readonly Allowed[]): number {
  let first = 0;
  const sums = history.map(({ atMs: endMs }, index) => {
    const shares = new Map<string, number>();
    const parts = new Map<string, number>();
    while (endMs - (history[first]?.atMs ?? endMs) > EXACT_WINDOW_MS + WAIT_MS) {
      first += 1;
    }
    for (const allowed of history.slice(first, index + 1)) {
      keepLargest(parts, allowed.parts);
      if (endMs - allowed.atMs <= EXACT_WINDOW_MS) {
        for (const id of allowed.shares.keys()) {
          parts.delete(id);
        }
        keepLargest(shares, allowed.shares);
      }
    }
    return Math.max(0, ...parts.values()) + [...shares.values()].reduce((sum, share) => sum + share, 0);
  });
  return Math.max(0, ...sums);
}

function keepLargest(kept: Map<string, number>, more: ReadonlyMap<string, number>): void {
  for (const [id, value] of more) {
    kept.set(id, Math.max(value, kept.get(id) ?? 0));
  }
}
