import { createCommandCatalogue } from './command-catalogue.ts';
import { createTransactions } from './economy.ts';
import { createRosters } from './people.ts';
import { createRandom } from './random.ts';
import { createServiceRecords } from './records.ts';
import type { SampleData, SampleGuild } from './types.ts';

/** The sample data and the people one can sign in as come from the same seed. */
export const SAMPLE_SEED = 20_261_115;

/** The guilds of the sample data. Their ids follow from the seed alone, and belong to nobody else. */
export function createSampleGuilds(seed: number): SampleGuild[] {
  return createRosters(createRandom({ seed, stream: 1 })).map(({ guild }) => guild);
}

/** The sample community of the demo. The same moment and seed always give the same data. */
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
