/** A guild by its number, which the store uses, and by its id, which all other code uses. */
export interface GuildRef {
  readonly guildNo: number;
  readonly guildId: string;
}
