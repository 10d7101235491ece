import { randomBytes } from 'node:crypto';
import { systemIds } from '../../src/compose.ts';
import {
  createSealer as createCipher,
  createKeyring,
  type Keyring,
} from '../../src/domain/access/sealing.ts';
import type { LedgerEntry } from '../../src/domain/ledger/entries.ts';
import type { GuildRef } from '../../src/domain/model.ts';
import type { Store } from '../../src/domain/ports.ts';
import { canonicalJson } from '../../src/domain/seal/canonical-json.ts';
import type { Checkpoint } from '../../src/domain/seal/checkpoint.ts';
import { createSealKeys, originOf, type SealKeys } from '../../src/domain/seal/seal-keys.ts';
import { createSealer, type SealProblem } from '../../src/domain/seal/sealer.ts';
import { openCheckpoint } from '../../src/domain/seal/signing.ts';
import { hashLeaf } from '../../src/domain/seal/tree.ts';
import { NOON_MS } from './specimens.ts';

const GOES_ON = new AbortController().signal;

export interface SealerOfTest {
  keys: SealKeys;
  problems: SealProblem[];
  /** Seals until nothing is left to do. */
  seal(): Promise<void>;
  /** One look, as the service does it once a second. */
  look(): Promise<boolean>;
}

let clocks = 0;

/** A clock that tests move. Each begins later than the leases by the clocks before it. */
export function createClock() {
  clocks += 1;
  let nowMs = NOON_MS + clocks * 60_000;
  return {
    nowMs: () => nowMs,
    monotonicMs: () => nowMs,
    pass(durationMs: number) {
      nowMs += durationMs;
    },
  };
}

function keyringOf(secret: string): Keyring {
  const cipher = createCipher(secret, systemIds);
  return createKeyring({ find: () => cipher, keep: () => cipher, previous: undefined });
}

/** The operator's key, and that of somebody else. */
export const KEYRING = keyringOf('a secret of the tests that is long enough');
export const OTHER_KEYRING = keyringOf('a secret of somebody who has only the database');

/** A sealer as a process has it, with a clock of its own by default. */
export function sealerOf(store: Store, clock = createClock(), keyring = KEYRING): SealerOfTest {
  const problems: SealProblem[] = [];
  const keys = createSealKeys({ store, keyring, clock, nameOfNew: 'guildbook.example' });
  const sealer = createSealer({
    store,
    keys,
    clock,
    holder: randomBytes(8).toString('hex'),
    onProblem: (problem) => problems.push(problem),
    onProgress: () => {},
  });
  return {
    keys,
    problems,
    look: () => sealer.look(GOES_ON),
    async seal() {
      // Later than the lease of another process, and than the last walk over all guilds.
      clock.pass(3_000);
      while (await sealer.look(GOES_ON)) {}
    },
  };
}

/** The stored checkpoint of a guild, with its signature checked. */
export async function checkpointOf(
  store: Store,
  { keys }: Pick<SealerOfTest, 'keys'>,
  guild: GuildRef,
): Promise<Checkpoint> {
  const { log } = await store.seals.state(guild);
  const { name, publicKeys } = await keys.read();
  return openCheckpoint(log?.checkpoint ?? '', originOf(name, guild.guildId), publicKeys);
}

/** The leaf of a transaction, from what the interface shows of it. */
function leafOf(entry: LedgerEntry): string {
  const decimal = (units: number) => {
    const digits = String(Math.abs(units)).padStart(5, '0');
    const text = `${digits.slice(0, -4)}.${digits.slice(-4)}`.replace(/\.?0+$/, '');
    return units < 0 ? `-${text}` : text;
  };
  return canonicalJson({
    number: entry.number,
    transactionId: entry.transactionId,
    playerId: entry.playerId,
    amount: decimal(entry.amountUnits),
    quantity: entry.quantity,
    total: decimal(entry.totalUnits),
    balanceAfter: decimal(entry.balanceUnits),
    name: entry.name,
    source: entry.source,
    createdAt: new Date(entry.createdAtMs).toISOString(),
    reference: entry.reference ?? null,
    metadata: entry.metadata ?? null,
    paymentId: entry.paymentId ?? null,
    reverses: entry.reverses ?? null,
    postedBy: { kind: entry.postedBy.kind, id: entry.postedBy.id ?? null },
  });
}

/** The hashes of a guild's leaves, made from its feed. */
export async function leavesOf(store: Store, guild: GuildRef): Promise<Uint8Array[]> {
  const entries = await store.entries.feed(guild, { after: 0, limit: 100_000 });
  return entries.map((entry) => hashLeaf(leafOf(entry)));
}

/** PostgreSQL refuses to delete transactions, but not to somebody who owns the tables. */
export const unguarded = (databaseUrl: string, sql: string) =>
  databaseUrl.startsWith('sqlite')
    ? `PRAGMA foreign_keys = OFF; ${sql}`
    : `BEGIN; SET LOCAL citus.propagate_set_commands = 'local'; SET LOCAL session_replication_role = replica; ${sql}; COMMIT`;
