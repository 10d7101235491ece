import { describe, expect, it } from 'vitest';
import type { GuildRef } from '../../src/domain/model.ts';
import type { PostGroup } from '../../src/store/postgres/post-batch.ts';
import { createPostLanes, type LaneOutcome } from '../../src/store/postgres/post-lanes.ts';
import { aTransaction } from '../contract/specimens.ts';

interface Statement {
  lane: number | 'apart';
  posts: string[];
  /** Lets it end. Posts of these guilds were left out. */
  finish(busyGuilds?: readonly number[]): void;
}

/** Lanes whose statements wait until the test lets them end; posts are named by their players. */
function createHeld({ lanes = 2, statementsPerLane = 2 } = {}) {
  const statements: Statement[] = [];
  const answers: string[] = [];

  function begin(
    lane: Statement['lane'],
    groups: readonly PostGroup[],
  ): Promise<LaneOutcome<readonly string[]>[]> {
    const named = groups.map(({ posts }) => posts.map(({ playerId }) => playerId));
    return new Promise((resolve) => {
      statements.push({
        lane,
        posts: named.flat(),
        finish: (busyGuilds = []) =>
          resolve(
            groups.map(({ guild: { guildNo } }, index) =>
              busyGuilds.includes(guildNo) ? 'busy' : { value: named[index] ?? [] },
            ),
          ),
      });
    });
  }

  const submit = createPostLanes<readonly string[]>({
    lanes,
    statementsPerLane,
    commit: begin,
    commitApart: async (groups) => (await begin('apart', groups)).filter((outcome) => outcome !== 'busy'),
    onBatch: () => {},
    onCommit: () => {},
  });
  /** Submits the posts of one request. */
  async function submitGroup(guildNo: number, ...names: string[]): Promise<void> {
    const posts = names.map((playerId) => aTransaction(guild(guildNo), { playerId }));
    const isAtomic = posts.length > 1;
    answers.push(
      ...(await submit({ guild: guild(guildNo), posts, isAtomic, isKeyed: false, batch: undefined })),
    );
  }

  return {
    statements,
    answers,
    submitGroup,
    post: (guildNo: number, ...names: string[]) => names.map((name) => submitGroup(guildNo, name)),
    sent: () => statements.map(({ lane, posts }) => `${lane}: ${posts.join(' ')}`),
  };
}

function guild(guildNo: number): GuildRef {
  return { guildNo, guildId: `g${guildNo}` };
}

/** Lets everything that is ready to go on do so. */
function settle(): Promise<void> {
  return new Promise((resolve) => setImmediate(() => setImmediate(resolve)));
}

describe('posts in lanes', () => {
  it('that arrive in one turn go out together, of whatever guilds', async () => {
    const held = createHeld();
    held.post(1, 'a', 'b');
    held.post(2, 'c');
    await settle();
    expect(held.sent()).toEqual(['0: a b c']);
  });

  it('of a guild that has some under way follow on its lane, and those of another take the free lane', async () => {
    const held = createHeld();
    held.post(1, 'a', 'b');
    await settle();
    held.post(1, 'c');
    held.post(2, 'd');
    await settle();
    // Lane 0 may have a second statement: it takes the next post of guild 1, and the post of guild 2 with it.
    expect(held.sent().sort()).toEqual(['0: a b', '0: c d']);
    held.post(1, 'e');
    held.post(3, 'f');
    await settle();
    expect(held.sent().sort()).toEqual(['0: a b', '0: c d', '1: f']);
    held.statements[0]?.finish();
    await settle();
    expect(held.sent().at(-1)).toBe('0: e');
  });

  it('do not follow a much larger batch before it is over', async () => {
    const held = createHeld({ lanes: 1 });
    held.post(1, ...Array.from({ length: 10 }, (_, index) => `a${index}`));
    await settle();
    held.post(1, 'b', 'c', 'd', 'e');
    await settle();
    expect(held.statements).toHaveLength(1);
    held.post(1, 'f');
    await settle();
    expect(held.sent()[1]).toBe('0: b c d e f');
  });

  it('are answered after the next statement has begun', async () => {
    const held = createHeld({ lanes: 1, statementsPerLane: 1 });
    const [first] = held.post(1, 'a');
    await settle();
    held.post(1, 'b');
    held.statements[0]?.finish();
    await first;
    expect(held.sent()).toEqual(['0: a', '0: b']);
  });

  it('of a busy guild wait apart, those that come meanwhile behind them, and others go on', async () => {
    const held = createHeld({ lanes: 1 });
    held.post(1, 'a', 'b');
    held.post(2, 'c');
    await settle();
    held.statements[0]?.finish([1]);
    await settle();
    expect(held.sent()).toEqual(['0: a b c', 'apart: a b']);
    expect(held.answers).toEqual(['c']);
    held.post(1, 'd');
    held.post(2, 'e');
    await settle();
    expect(held.sent().at(-1)).toBe('0: e');
    held.statements[2]?.finish();
    await settle();
    expect(held.answers).toEqual(['c', 'e']);
    held.statements[1]?.finish();
    await settle();
    expect(held.sent().at(-1)).toBe('0: d');
    held.statements[3]?.finish();
    await settle();
    expect(held.answers).toEqual(['c', 'e', 'a', 'b', 'd']);
  });

  it('of a guild that was busy twice are each answered once', async () => {
    const held = createHeld({ lanes: 1 });
    held.post(1, 'a');
    await settle();
    held.post(1, 'b');
    await settle();
    expect(held.sent()).toEqual(['0: a', '0: b']);
    held.statements[0]?.finish([1]);
    held.statements[1]?.finish([1]);
    await settle();
    expect(held.sent()).toEqual(['0: a', '0: b', 'apart: a']);
    held.statements[2]?.finish();
    await settle();
    expect(held.sent().at(-1)).toBe('0: b');
    held.statements[3]?.finish();
    await settle();
    expect(held.answers).toEqual(['a', 'b']);
  });

  it('never exceed the size of a batch, and each guild gets its turn', async () => {
    const held = createHeld({ lanes: 1, statementsPerLane: 1 });
    held.post(1, ...Array.from({ length: 1_500 }, () => 'a'));
    held.post(2, 'b');
    await settle();
    expect(held.statements[0]?.posts).toHaveLength(1_000);
    held.statements[0]?.finish();
    await settle();
    expect(held.statements[1]?.posts.at(0)).toBe('b');
    expect(held.statements[1]?.posts).toHaveLength(501);
  });

  it('of one request are never divided, and those of another guild fill the rest', async () => {
    const held = createHeld({ lanes: 1, statementsPerLane: 1 });
    held.post(1, ...Array.from({ length: 990 }, () => 'a'));
    held.submitGroup(1, ...Array.from({ length: 20 }, () => 'b'));
    held.post(1, 'c');
    held.post(2, 'd', 'e');
    await settle();
    expect(held.statements[0]?.posts.slice(988)).toEqual(['a', 'a', 'd', 'e']);
    held.statements[0]?.finish();
    await settle();
    expect(held.statements[1]?.posts).toEqual([...Array.from({ length: 20 }, () => 'b'), 'c']);
    held.statements[1]?.finish();
    await settle();
    expect(held.answers).toHaveLength(1_013);
  });

  it('of a request that is larger than a batch go out alone', async () => {
    const held = createHeld({ lanes: 1, statementsPerLane: 1 });
    held.submitGroup(1, ...Array.from({ length: 1_001 }, () => 'a'));
    held.post(2, 'b');
    await settle();
    expect(held.statements[0]?.posts).toHaveLength(1_001);
  });
});
