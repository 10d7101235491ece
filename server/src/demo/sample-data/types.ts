import type { BotCommand, Discharge, Transfer, Verification } from '../../domain/model.ts';

/** All data of the demo, independent of how it is stored. */
export interface SampleData {
  guilds: SampleGuild[];
  verifications: Verification[];
  commands: BotCommand[];
  discharges: Discharge[];
  transfers: Transfer[];
  /** Ascending by createdAtMs, so that they can be appended to the ledger in this order. */
  transactions: SampleTransaction[];
}

export interface SampleGuild {
  guildId: string;
  name: string;
  ownerChatId: string;
  plan: 'none' | 'developer' | 'enterprise';
}

export interface SampleTransaction {
  guildId: string;
  playerId: string;
  name: string;
  quantity: number;
  /** Per item, signed, at most four decimal places. */
  amount: number;
  source: string;
  createdAtMs: number;
}
