import type { GuildRef } from '../model.ts';
import type { SealedTransaction } from './leaf.ts';
import type { TileName } from './tiles.ts';

/** A key that signs checkpoints, as it is stored. */
export interface SealKeyRecord {
  /** Counts the keys of the store from 1. */
  keyNo: number;
  /** The beginning of the origins of all logs. Every key of a store has the same. */
  name: string;
  /** The 32 bytes of the public key, in base64. */
  publicKey: string;
  /** The private key, encrypted with the operator's key. */
  sealedSecret: string;
  createdAtMs: number;
  /** The key no longer signs from this time on; undefined for the present key. */
  retiredAtMs: number | undefined;
}

/** The state of a guild's log. */
export interface SealLog {
  /** The number of the transaction that is the first leaf. */
  firstNumber: number;
  /** The number of leaves. */
  size: number;
  /** The hashes of this many leaves are in tiles. Those of the others are computed from the transactions. */
  tiled: number;
  /** The hashes of the complete subtrees that the tree consists of, the largest first, one after the other. */
  frontier: Uint8Array;
  /** The signed note of this size. */
  checkpoint: string;
  sealedAtMs: number;
}

/** The end of a guild's ledger, and of its log. */
export interface SealState extends GuildRef {
  lastNumber: number;
  /** Transactions up to this one have no rows. */
  archivedNumber: number;
  log: SealLog | undefined;
  lease: { holder: string; untilMs: number } | undefined;
}

export interface StoredTile extends TileName {
  hashes: Uint8Array;
}

/** The beginning of a batch: the state of a log, or of one that has no leaf yet. */
export type SealBase = Pick<SealLog, 'firstNumber' | 'size' | 'tiled' | 'frontier'>;

/** A log with the next transactions, before it is signed. `tiles` are new, or replace shorter ones. */
export interface SealGrowth extends SealBase {
  tiles: StoredTile[];
}

/** Rows or hashes in the store that are not those that were sealed. */
export interface SealDamage {
  damage: string;
}

export interface SealAdvance {
  guildNo: number;
  before: Pick<SealLog, 'size' | 'frontier'>;
  after: SealLog;
  tiles: readonly StoredTile[];
  lease: { holder: string; untilMs: number };
}

/** Stores the sealed log of each guild. */
export interface SealStore {
  /** All keys, the oldest first. */
  keys(): Promise<SealKeyRecord[]>;
  /**
   * Adds a key and lets those before it retire at a time. False when another process has added a key with this number:
   * nothing is changed then.
   */
  addKey(key: Omit<SealKeyRecord, 'retiredAtMs'>, retireOthersAtMs: number): Promise<boolean>;
  /** Replaces the encrypted text of a key, unless it has changed meanwhile. */
  resealKey(keyNo: number, value: { from: string; to: string }): Promise<boolean>;
  /**
   * Guilds to whose ledgers this process has written since they were last returned here, up to `max`. A guild is returned
   * after the commit that made its ledger grow.
   */
  takeGrown(max: number): number[];
  /** The state of these guilds. Guilds on a server that does not answer are missing. */
  states(guildNos: readonly number[]): Promise<SealState[]>;
  /**
   * Looks at the next guilds after a number. `behind` are those whose logs lack transactions, or were signed before a time.
   * `lastNo` is undefined at the end.
   */
  sweep(
    afterNo: number,
    range: { limit: number; signedBeforeMs: number },
  ): Promise<{ lastNo: number | undefined; behind: number[] }>;
  /**
   * Computes the log with up to `limit` of the transactions up to `lastNumber`, and writes nothing. Rows that are computed
   * again for a tile have to lead to the frontier.
   */
  grow(
    guildNo: number,
    base: SealBase,
    end: { lastNumber: number; limit: number },
  ): Promise<SealGrowth | SealDamage>;
  /**
   * Stores a log with its tiles in one commit, provided that the stored log is still the one before. False when it is not;
   * nothing is changed then.
   */
  advance(advance: SealAdvance): Promise<boolean>;
  state(guild: GuildRef): Promise<SealState>;
  /** The hashes of a tile that a log of this state has, from tiles or computed from transactions. */
  tile(guild: GuildRef, log: SealLog, name: TileName): Promise<Uint8Array>;
  /**
   * The hashes of the leaves of transactions after a number, up to another one, computed from the rows. Ends before the first
   * number without a row.
   */
  leafHashes(guildNo: number, range: { after: number; through: number }): Promise<Uint8Array[]>;
  /** The hashes of a tile as they are stored; empty when it is not. */
  storedTile(guildNo: number, name: TileName): Promise<Uint8Array>;
  /** A transaction as its leaf has it. */
  transaction(guild: GuildRef, transactionId: string): Promise<SealedTransaction | undefined>;
}
