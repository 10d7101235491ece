import { expect, it } from 'vitest';
import { splitHashes } from '../../src/domain/seal/tree.ts';
import { sealerOf } from '../contract/seal-specimens.ts';
import { aTransaction } from '../contract/specimens.ts';
import { createSqlitePlace } from '../contract/sqlite-place.ts';
import { openWithGuild } from '../contract/store-place.ts';

it('a post is sealed as it was posted, although somebody changed its row before', async () => {
  const { store, guild, execute } = await openWithGuild(createSqlitePlace);
  const count = 300;
  await Promise.all(Array.from({ length: count }, () => store.ledger.append(aTransaction(guild))));
  const posted = await store.seals.leafHashes(guild.guildNo, { after: 0, through: count });
  await execute(`UPDATE ledger_transaction SET name = 'altered' WHERE number = 7`);
  const altered = await store.seals.leafHashes(guild.guildNo, { after: 0, through: count });
  expect(Buffer.compare(altered[6] ?? posted[6] ?? Buffer.of(), posted[6] ?? Buffer.of())).not.toBe(0);
  await sealerOf(store).seal();
  const tile = splitHashes(await store.seals.storedTile(guild.guildNo, { level: 0, tileNo: 0 }));
  expect(tile.map((hash) => Buffer.from(hash))).toEqual(
    posted.slice(0, 256).map((hash) => Buffer.from(hash)),
  );
});
