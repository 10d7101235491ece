import type { Guild } from '../domain/model.ts';

type Absent = 'icon' | 'ownerChatId' | 'planUntilMs' | 'currencyName' | 'currencySymbol' | 'decimalsShown';

/** A guild as a store reads it: what is absent is null, and a flag is what the store has for one. */
export type GuildRow<Flag> = Omit<Guild, Absent | 'overdraftAllowed'> & {
  [Field in Absent]: Exclude<Guild[Field], undefined> | null;
} & { overdraftAllowed: Flag };

export function guildOfRow(row: GuildRow<boolean>): Guild {
  return {
    ...row,
    icon: row.icon ?? undefined,
    ownerChatId: row.ownerChatId ?? undefined,
    planUntilMs: row.planUntilMs ?? undefined,
    currencyName: row.currencyName ?? undefined,
    currencySymbol: row.currencySymbol ?? undefined,
    decimalsShown: row.decimalsShown ?? undefined,
  };
}

/** What of a guild can change. */
export function toAudited({ guildNo: _number, guildId: _id, createdAtMs: _created, ...rest }: Guild): object {
  return rest;
}
