import { expect, it } from 'vitest';
import { DomainError } from '../../src/domain/errors.ts';
import type { NewTransaction } from '../../src/domain/model.ts';
import { unpackPost } from '../../src/store/ledger/packed-post.ts';
import { createNoting } from '../../src/store/postgres/noted-posts.ts';
import type { BatchRow, PostGroup } from '../../src/store/postgres/post-batch.ts';
import type { NotedPost } from '../../src/store/postgres/sealing.ts';
import { aTransaction } from '../contract/specimens.ts';

const [SEALED, OTHER] = [
  { guildNo: 1, guildId: 'g1' },
  { guildNo: 2, guildId: 'g2' },
];

const groupOf = (posts: readonly NewTransaction[]): PostGroup => ({
  guild: posts[0]?.guild ?? SEALED,
  posts,
  isAtomic: posts.length > 1,
  isKeyed: false,
  batch: undefined,
});

/** Notes into a list for each commit. */
function openNoting() {
  const commits: NotedPost[][] = [];
  const note = createNoting({
    isWanted: (guildNo) => guildNo === SEALED.guildNo,
    note: (posted) => commits.push([...posted]),
  });
  return { note, commits };
}

const shown = (commits: readonly NotedPost[][]) =>
  commits.map((posted) =>
    posted.map(({ post, number, balanceUnits, createdAtMs }) => [
      unpackPost(post).transactionId,
      number,
      balanceUnits,
      createdAtMs,
    ]),
  );

it('the written posts of wanted guilds are noted with their number, balance and time, and no others', () => {
  const { note, commits } = openNoting();
  const [written, refused, late, skipped] = [1, 2, 3, 4].map(() => aTransaction(SEALED));
  const elsewhere = aTransaction(OTHER);
  const row: BatchRow = {
    outcomes: ['posted', 'overdraft', 'posted', 'skipped', 'posted'],
    ids: [],
    balances: [10, null, 30, null, 50],
    numbers: [7, null, 8, null, 1],
    ats: [100, null, 300, null, 500],
  };
  const groups = [
    groupOf([written, refused] as NewTransaction[]),
    groupOf([late, skipped] as NewTransaction[]),
    groupOf([elsewhere]),
  ];
  note(
    groups,
    [0, 2, 4].map((first) => ({ value: { row, first } })),
  );
  expect(shown(commits)).toEqual([
    [
      [written?.transactionId, 7, 10, 100],
      [late?.transactionId, 8, 30, 300],
    ],
  ]);
});

it('each statement is a commit, and those that failed have none', () => {
  const { note, commits } = openNoting();
  const posts = [1, 2, 3, 4].map(() => aTransaction(SEALED));
  const rowOf = (number: number): BatchRow => ({
    outcomes: ['posted'],
    ids: [],
    balances: [5],
    numbers: [number],
    // The times are those of the posts.
    ats: [],
  });
  note(
    posts.map((post) => groupOf([post])),
    [
      { value: { row: rowOf(5), first: 0 } },
      'busy',
      { error: new DomainError('internal') },
      { value: { row: rowOf(6), first: 0 } },
    ],
  );
  expect(shown(commits)).toEqual([
    [[posts[0]?.transactionId, 5, 5, posts[0]?.createdAtMs]],
    [[posts[3]?.transactionId, 6, 5, posts[3]?.createdAtMs]],
  ]);
});

it('a replayed post, a distributed store and a service without a sealing thread note nothing', () => {
  const { note, commits } = openNoting();
  const group = groupOf([aTransaction(SEALED)]);
  const replayed: BatchRow = {
    outcomes: ['replayed'],
    ids: ['x'],
    balances: [1],
    numbers: [null],
    ats: [null],
  };
  note([group], [{ value: { row: replayed, first: 0 } }]);
  note([group], [{ value: { row: { outcomes: ['posted'], ids: ['x'], balances: [1] }, first: 0 } }]);
  createNoting(undefined)([group], [{ value: { row: replayed, first: 0 } }]);
  expect(commits).toEqual([]);
});
