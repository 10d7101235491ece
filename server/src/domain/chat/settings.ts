import type { Change, Guild, GuildRef } from '../model.ts';

/** A guild's settings for the commands of the chat. */
export interface ChatSettings {
  /** The names of commands that are switched off. */
  commandsOff: readonly string[];
  /** True when members may pay one another. */
  membersPay: boolean;
  /** The largest sum that a member may pay in a day; undefined for no limit. */
  payDayMaxUnits: number | undefined;
  /** True when members may see the balances and transactions of others. */
  balancesShown: boolean;
}

/** The settings of a guild that has chosen none. */
export const USUAL_CHAT_SETTINGS: ChatSettings = {
  commandsOff: [],
  membersPay: false,
  payDayMaxUnits: undefined,
  balancesShown: false,
};

/** A payment of a member that counts against the limit of a day. */
export interface PaidInDay {
  chatId: string;
  /** The day in UTC. */
  day: number;
  /** The idempotency key of the payment. The same payment counts once. */
  key: string;
  units: number;
}

/** A guild as the commands of the chat need it. */
export interface ChatGuild {
  readonly guild: Guild;
  readonly settings: ChatSettings;
}

export interface ChatStore {
  /**
   * A guild with its settings; undefined for an unknown one. The result reflects every change acknowledged before the call, and is the same
   * object while there was none.
   */
  find(guildId: string): Promise<ChatGuild | undefined>;
  settings(guild: GuildRef): Promise<ChatSettings>;
  setSettings(guild: GuildRef, settings: ChatSettings, change: Change): Promise<void>;
  /**
   * Counts a payment if the sum of the member's payments of that day stays within `maxUnits`; false otherwise. A payment that was counted
   * before counts once. Of concurrent calls, no two exceed the limit together.
   */
  countPayment(guild: GuildRef, payment: PaidInDay, maxUnits: number): Promise<boolean>;
  /** Undoes `countPayment` for a payment that was refused. */
  uncountPayment(guild: GuildRef, payment: PaidInDay): Promise<void>;
}
