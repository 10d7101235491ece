/** A guild by its number, which the store uses, and by its id, which everybody else uses. */
export interface GuildRef {
  readonly guildNo: number;
  readonly guildId: string;
}
