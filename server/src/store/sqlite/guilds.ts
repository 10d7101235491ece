import type { DatabaseSync } from 'node:sqlite';
import type { Guild } from '../../domain/model.ts';
import type { GuildStore } from '../../domain/ports.ts';
import { prepare } from './connection.ts';
import type { Read, WriteOf } from './write.ts';

export type GuildWrites = ReturnType<typeof createGuildWrites>;

type Row = Omit<Guild, 'planUntilMs' | 'overdraftAllowed'> & {
  planUntilMs: number | null;
  overdraftAllowed: number;
};

const SELECT = `SELECT guild_no AS guildNo, guild_id AS guildId, name, plan, plan_until AS planUntilMs,
  overdraft_allowed AS overdraftAllowed, created_at AS createdAtMs FROM guild`;

export function createGuildStore(db: DatabaseSync, read: Read, write: WriteOf<GuildWrites>): GuildStore {
  const find = prepare<Row>(db, `${SELECT} WHERE guild_id = ?`);
  const findAll = prepare<Row>(db, `${SELECT} ORDER BY guild_id`);
  return {
    find: (guildId) =>
      read(() => {
        const row = find.get(guildId);
        return row && toGuild(row);
      }),
    list: () => read(() => findAll.all().map(toGuild)),
    put: (guild) => write('putGuild', guild),
  };
}

export function createGuildWrites(db: DatabaseSync) {
  const put = prepare(
    db,
    `INSERT INTO guild (guild_id, name, plan, plan_until, overdraft_allowed, created_at) VALUES (?, ?, ?, ?, ?, ?)
     ON CONFLICT (guild_id) DO UPDATE SET name = excluded.name, plan = excluded.plan,
       plan_until = excluded.plan_until, overdraft_allowed = excluded.overdraft_allowed`,
  );
  const find = prepare<Row>(db, `${SELECT} WHERE guild_id = ?`);
  return {
    putGuild(guild: Omit<Guild, 'guildNo'>): Guild {
      const { guildId, name, plan, planUntilMs, overdraftAllowed, createdAtMs } = guild;
      put.run(guildId, name, plan, planUntilMs ?? null, overdraftAllowed ? 1 : 0, createdAtMs);
      const row = find.get(guildId);
      if (row === undefined) {
        throw new Error('a guild just written cannot be read');
      }
      return toGuild(row);
    },
  };
}

function toGuild(row: Row): Guild {
  return {
    ...row,
    planUntilMs: row.planUntilMs ?? undefined,
    overdraftAllowed: row.overdraftAllowed === 1,
  };
}
