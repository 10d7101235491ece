import type { Service } from '../compose.ts';
import { OperatorError } from '../domain/errors.ts';
import type { Store } from '../domain/ports.ts';
import { createSampleGuilds, SAMPLE_SEED } from './sample-data/index.ts';

/** True when the store has a guild of the sample data. It may then have the demo's key, which is public. */
export async function hasSampleData({ guilds }: Pick<Store, 'guilds'>): Promise<boolean> {
  const samples = createSampleGuilds(SAMPLE_SEED);
  const found = await Promise.all(samples.map(({ guildId }) => guilds.find(guildId)));
  return found.some((guild) => guild !== undefined);
}

/** Closes a service that was started on sample data by mistake, and throws. */
export async function refuseSamples(service: Service): Promise<void> {
  if (!(await hasSampleData(service.store))) {
    return;
  }
  await service.close();
  throw new OperatorError(
    'this store has the sample data of the demo, and maybe its key: it is not one to serve for real\n' +
      '  Name another one, as in DATABASE_URL=sqlite:./data/guildbook-2.db, or give --allow-sample-data.',
  );
}
