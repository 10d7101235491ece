import { createCommandCatalogue } from './command-catalogue.ts';
import { createTransactions } from './economy.ts';
import { createRosters } from './people.ts';
import { createRandom } from './random.ts';
import { createServiceRecords } from './records.ts';
import type { SampleData } from './types.ts';

/** A living community for the try-out. The same moment and seed always give the same data. */
export function createSampleData({ nowMs, seed }: { nowMs: number; seed: number }): SampleData {
  const rosters = createRosters(createRandom({ seed, stream: 1 }));
  const records = createServiceRecords({ rosters, nowMs, random: createRandom({ seed, stream: 2 }) });
  return {
    guilds: rosters.map((roster) => roster.guild),
    verifications: rosters.flatMap((roster) => [...roster.officers, ...roster.others]),
    commands: createCommandCatalogue(),
    discharges: records.discharges,
    transfers: records.transfers,
    transactions: createTransactions({ rosters, nowMs, random: createRandom({ seed, stream: 3 }) }),
  };
}
