import type { GuildRef } from '../../src/domain/model.ts';
import type { Store } from '../../src/domain/ports.ts';
import { aTransaction } from './specimens.ts';

/** Shared by the suites of the ledger's views. */

/** A range with every day on which something was posted. */
export const ALWAYS = { since: -1_000_000, until: 1_000_000 };
export const NO_FILTER = { source: undefined, minUnits: undefined, maxUnits: undefined };

export const post = (store: Store, guild: GuildRef, changes: Parameters<typeof aTransaction>[1] = {}) =>
  store.ledger.append(aTransaction(guild, changes));
