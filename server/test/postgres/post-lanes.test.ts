import { describe, expect, it } from 'vitest';
import type { AppendOutcome, GuildRef, NewTransaction } from '../../src/domain/model.ts';
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

  function begin(lane: Statement['lane'], posts: readonly NewTransaction[]): Promise<LaneOutcome[]> {
    return new Promise((resolve) => {
      statements.push({
        lane,
        posts: posts.map(({ playerId }) => playerId),
        finish: (busyGuilds = []) =>
          resolve(
            posts.map(({ guild, transactionId }) =>
              busyGuilds.includes(guild.guildNo)
                ? 'busy'
                : { value: { transactionId, balanceUnits: 0, replayed: false } },
            ),
          ),
      });
    });
  }

  const submit = createPostLanes({
    lanes,
    statementsPerLane,
    commit: begin,
    commitApart: async (posts) => (await begin('apart', posts)).filter((outcome) => outcome !== 'busy'),
    onBatch: () => {},
    onCommit: () => {},
  });
  return {
    statements,
    answers,
    post(guildNo: number, ...names: string[]): Promise<AppendOutcome>[] {
      return names.map((playerId) => {
        const answer = submit(aTransaction(guild(guildNo), { playerId }));
        answer.then(() => answers.push(playerId));
        return answer;
      });
    },
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
});
