import { expect, it } from 'vitest';
import { splitHashes } from '../../src/domain/seal/tree.ts';
import { createPostgresPlace } from '../contract/postgres-place.ts';
import { sealerOf } from '../contract/seal-specimens.ts';
import { createSqlitePlace } from '../contract/sqlite-place.ts';
import { openWithGuild } from '../contract/store-place.ts';
import { postAll } from '../contract/store-suite-seal-posts.ts';

/** PostgreSQL keeps the posts of a guild that has more than 255 between two seals. */
const ROUNDS = 50;

it.each([
  ['SQLite', createSqlitePlace],
  ['PostgreSQL', createPostgresPlace],
])('posts on %s are sealed as they were posted, although somebody changed a row before', async (_, place) => {
  const { store, guild, execute } = await openWithGuild(place);
  const sealer = sealerOf(store);
  const postMany = async () => {
    for (let round = 0; round < ROUNDS; round += 1) {
      await postAll(store, guild, 'noted');
    }
  };
  await postMany();
  await sealer.seal();
  const { lastNumber: sealed } = await store.seals.state(guild);
  await postMany();
  const { lastNumber } = await store.seals.state(guild);
  const readAll = async () => {
    const hashes = await store.seals.leafHashes(guild.guildNo, { after: 0, through: lastNumber });
    return hashes.map((hash) => Buffer.from(hash));
  };
  const posted = await readAll();
  await execute(`UPDATE ledger_transaction SET name = 'altered' WHERE number = ${sealed + 1}`);
  expect((await readAll())[sealed]).not.toEqual(posted[sealed]);
  await sealer.seal();
  const tiles = [];
  for (let tileNo = 0; tileNo * 256 < lastNumber - 64; tileNo += 1) {
    tiles.push(...splitHashes(await store.seals.storedTile(guild.guildNo, { level: 0, tileNo })));
  }
  expect(tiles.length).toBeGreaterThan(sealed);
  expect(tiles.map((hash) => Buffer.from(hash))).toEqual(posted.slice(0, tiles.length));
});
