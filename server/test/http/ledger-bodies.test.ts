import { expect, test } from 'vitest';
import { createLedgerBodyCache } from '../../src/http/api/ledger-bodies.ts';

const GUILD = { guildNo: 1, guildId: 'g' };
const TEXT = 'x'.repeat(1_000);
const NAMES = Array.from({ length: 20 }, (_, index) => String(index));

/** Asks two routes for the same names twice. Returns the number of reads in the second round. */
async function readAgain(ledgerCacheBytes: number): Promise<number> {
  const cache = createLedgerBodyCache({ ledgerHistory: { revision: () => '1' }, ledgerCacheBytes });
  const routes = [cache.ofRoute('one'), cache.ofRoute('other')];
  let reads = 0;
  for (let round = 0; round < 2; round += 1) {
    reads = 0;
    for (const [index, route] of routes.entries()) {
      for (const name of NAMES) {
        const text = `${index} ${name} ${TEXT}`;
        const read = () => {
          reads += 1;
          return { text };
        };
        const { body } = await route.answer(GUILD, name, read);
        expect(body).toMatchObject({ length: text.length });
        expect(String((body as { content: unknown }).content)).toBe(text);
      }
    }
  }
  return reads;
}

test('all bodies that fit into the cache are read once, each route getting its own', async () => {
  expect(await readAgain(200_000)).toBe(0);
});

test('the routes together keep no more than the bound', async () => {
  expect(await readAgain(20_000)).toBe(2 * NAMES.length);
});
