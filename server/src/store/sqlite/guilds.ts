import type { DatabaseSync } from 'node:sqlite';
import { changeGuild } from '../../domain/access/guilds.ts';
import type { Change, Guild, GuildChange, Plan } from '../../domain/model.ts';
import type { GuildStore } from '../../domain/ports.ts';
import { type GuildRow, guildOfRow, toAudited } from '../guild-rows.ts';
import { createAuditWriter } from './audit.ts';
import { prepare } from './connection.ts';
import type { Read, WriteOf } from './write.ts';

export type GuildWrites = ReturnType<typeof createGuildWrites>;

type Row = GuildRow<number>;

const SELECT = `SELECT guild_no AS guildNo, guild_id AS guildId, name, icon, owner_chat_id AS ownerChatId, plan, plan_until AS planUntilMs,
  overdraft_allowed AS overdraftAllowed, currency_name AS currencyName, currency_symbol AS currencySymbol,
  decimals_shown AS decimalsShown, created_at AS createdAtMs FROM guild`;

export function createGuildStore(db: DatabaseSync, read: Read, write: WriteOf<GuildWrites>): GuildStore {
  const find = prepare<Row>(db, `${SELECT} WHERE guild_id = ?`);
  const findAll = prepare<Row>(db, `${SELECT} ORDER BY guild_id`);
  const findOne = prepare<Row>(db, `${SELECT} LIMIT 1`);
  return {
    find: (guildId) =>
      read(() => {
        const row = find.get(guildId);
        return row && toGuild(row);
      }),
    list: () => read(() => findAll.all().map(toGuild)),
    hasAny: () => read(() => findOne.get() !== undefined),
    set: (guild, change) => write('setGuild', { guild, change }),
  };
}

export function createGuildWrites(db: DatabaseSync) {
  const put = prepare(
    db,
    `INSERT INTO guild (guild_id, name, icon, owner_chat_id, plan, plan_until, overdraft_allowed, currency_name,
       currency_symbol, decimals_shown, created_at)
     VALUES (?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?)
     ON CONFLICT (guild_id) DO UPDATE SET name = excluded.name, icon = excluded.icon,
       owner_chat_id = excluded.owner_chat_id, plan = excluded.plan, plan_until = excluded.plan_until,
       overdraft_allowed = excluded.overdraft_allowed, currency_name = excluded.currency_name,
       currency_symbol = excluded.currency_symbol, decimals_shown = excluded.decimals_shown`,
  );
  const find = prepare<Row>(db, `${SELECT} WHERE guild_id = ?`);
  const audit = createAuditWriter(db);
  return {
    setGuild({
      guild: wanted,
      change,
    }: {
      guild: GuildChange & { defaultPlan: Plan };
      change: Change;
    }): Guild {
      const before = find.get(wanted.guildId);
      const guild = changeGuild(before && toGuild(before), wanted, change.atMs);
      const { guildId, name, icon, ownerChatId, plan, planUntilMs, overdraftAllowed, createdAtMs } = guild;
      put.run(
        guildId,
        name,
        icon ?? null,
        ownerChatId ?? null,
        plan,
        planUntilMs ?? null,
        overdraftAllowed ? 1 : 0,
        guild.currencyName ?? null,
        guild.currencySymbol ?? null,
        guild.decimalsShown ?? null,
        createdAtMs,
      );
      const row = find.get(guildId);
      if (row === undefined) {
        throw new Error('a guild just written cannot be read');
      }
      const after = toGuild(row);
      audit({
        guildNo: row.guildNo,
        change,
        subjectKind: 'guild',
        subjectId: guildId,
        before: before && toAudited(toGuild(before)),
        after: toAudited(after),
      });
      return after;
    },
  };
}

function toGuild(row: Row): Guild {
  return guildOfRow({ ...row, overdraftAllowed: row.overdraftAllowed === 1 });
}
