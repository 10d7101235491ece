/** Part of a guild's rows, in the order of their keys. */
export interface KeyRange {
  guildNo: number;
  /** Rows after this key; an empty text begins with the first. */
  after: string;
  /** The number of rows to look at. */
  limit: number;
}

/** The end of a range: the last key that was looked at, or undefined when the guild has no more. */
export interface RangeEnd {
  next: string | undefined;
  removed: number;
}

/** Removes rows that have outlived their time, a few at a time. */
export interface RetentionStore {
  /**
   * Takes or extends the lease of a job. False while another holder has it. A lease can be taken over when its time has
   * passed.
   */
  takeLease(lease: { job: string; holder: string; nowMs: number; untilMs: number }): Promise<boolean>;
  /** Numbers of guilds in ascending order, after the given one. */
  guilds(afterNo: number, limit: number): Promise<number[]>;
  /** The time of the guild's oldest transaction. */
  oldestTransactionMs(guildNo: number): Promise<number | undefined>;
  /** Removes the idempotency keys of the range whose transactions are from before a time. */
  expireKeys(range: KeyRange, beforeMs: number): Promise<RangeEnd>;
  /**
   * Removes the keys of batches in the range that were first seen here before a time. Notes `nowMs` for those that are
   * seen for the first time.
   */
  expireBatchKeys(range: KeyRange, times: { nowMs: number; beforeMs: number }): Promise<RangeEnd>;
  /**
   * Removes up to `limit` entries from the beginning of a guild's log that are from before a time; undefined is the
   * log that belongs to no guild. The last entry of a log stays. Returns the number of removed entries.
   */
  removeAuditEntries(removal: {
    guildNo: number | undefined;
    beforeMs: number;
    limit: number;
  }): Promise<number>;
  /** Removes the results of a guild's deliveries from before a time, and returns their number. */
  removeAttempts(removal: { guildNo: number; beforeMs: number }): Promise<number>;
  /** Removes the requests and counts of a guild's keys from before a time, and returns their number. */
  removeKeyLog(removal: { guildNo: number; beforeMs: number }): Promise<number>;
  /** Removes up to `limit` sessions that expired by a time, and returns their number. */
  removeSessions(removal: { beforeMs: number; limit: number }): Promise<number>;
}
