/** How the inside of the house names a guild: by number for the store, by id for the world. */
export interface GuildRef {
  readonly guildNo: number;
  readonly guildId: string;
}
