import { listGuild } from './ledger/guild-listing.ts';

/** Every read of many rows that an engine runs by its name. */
export const LONG_READS = {
  listGuild,
};
