import type { Config } from '../config.ts';
import type { Clock, IdSource, Store } from '../domain/ports.ts';
import type { SealKeys } from '../domain/seal/seal-keys.ts';
import { createSeals, type SealStatus } from '../domain/seal/seals.ts';
import { openSealKeys } from './seal.ts';
import { createOperatorKeyring } from './secret-key.ts';

export interface GuildSeal extends SealStatus {
  guildId: string;
}

/** The sealed log of each guild, or of one. */
export async function showSeals(
  config: Config,
  environment: { clock: Clock; ids: IdSource },
  { store, guildId }: { store: Store; guildId: string | undefined },
): Promise<GuildSeal[]> {
  const seals = createSeals({ store, keys: keysOf(config, environment, store) });
  const guilds = (await store.guilds.list()).filter((guild) => (guildId ?? guild.guildId) === guild.guildId);
  const shown: GuildSeal[] = [];
  for (const guild of guilds) {
    shown.push({ guildId: guild.guildId, ...(await seals.status(guild)) });
  }
  return shown;
}

/** Adds a key that signs from now on. */
export async function rotateSealKey(
  config: Config,
  environment: { clock: Clock; ids: IdSource },
  store: Store,
): Promise<void> {
  await keysOf(config, environment, store).rotate();
}

function keysOf(config: Config, environment: { clock: Clock; ids: IdSource }, store: Store): SealKeys {
  const keyring = createOperatorKeyring(config, environment.ids);
  return openSealKeys(config, environment, { store, keyring });
}
