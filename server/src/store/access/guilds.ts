import { changeGuild } from '../../domain/access/guilds.ts';
import type { Change, Guild, GuildChange, Plan } from '../../domain/model.ts';
import type { GuildStore } from '../../domain/ports.ts';
import { openAudit } from '../audit/audit-writer.ts';
import { type Engine, inLane } from '../jobs.ts';
import { Conflict, type Scalar, type Sql, statement } from '../sql.ts';

type Absent =
  | 'icon'
  | 'ownerChatId'
  | 'planUntilMs'
  | 'currencyName'
  | 'currencySymbol'
  | 'decimalsShown'
  | 'timeZone'
  | 'language';

type Flag = 'overdraftAllowed' | 'sealPublic' | 'ownAccounts';

/** A guild's row. Absent fields are null; SQLite stores flags as numbers. */
type Row = Omit<Guild, Absent | Flag> & {
  [Field in Absent]: Exclude<Guild[Field], undefined> | null;
} & Record<Flag, boolean | number>;

const SELECT = `SELECT guild_no AS "guildNo", guild_id AS "guildId", name, icon, owner_chat_id AS "ownerChatId", plan,
  plan_until AS "planUntilMs", overdraft_allowed AS "overdraftAllowed", currency_name AS "currencyName",
  currency_symbol AS "currencySymbol", decimals_shown AS "decimalsShown", time_zone AS "timeZone",
  seal_public AS "sealPublic", own_accounts AS "ownAccounts", language, created_at AS "createdAtMs" FROM guild`;
const FIND = statement<Row>(`${SELECT} WHERE guild_id = $1`);
const FIND_ALL = statement<Row>(`${SELECT} ORDER BY guild_id`);
const FIND_EXISTING = statement<{ guildId: string }>(
  ({ isOneOf }) =>
    `SELECT guild_id AS "guildId" FROM guild WHERE ${isOneOf('guild_id', { value: '$1', type: 'text' })}`,
);
const FIND_ONE = statement<Row>(`${SELECT} LIMIT 1`);
// Not an upsert, which would use up a guild number at every change.
const INSERT = statement<{ guildNo: number }>(
  `INSERT INTO guild (guild_id, name, icon, owner_chat_id, plan, plan_until, overdraft_allowed, currency_name,
     currency_symbol, decimals_shown, time_zone, seal_public, own_accounts, language, created_at)
   VALUES ($1, $2, $3, $4, $5, $6, $7, $8, $9, $10, $11, $12, $13, $14, $15) ON CONFLICT (guild_id) DO NOTHING RETURNING guild_no AS "guildNo"`,
);
const UPDATE = statement(
  `UPDATE guild SET name = $2, icon = $3, owner_chat_id = $4, plan = $5, plan_until = $6, overdraft_allowed = $7,
     currency_name = $8, currency_symbol = $9, decimals_shown = $10, time_zone = $11, seal_public = $12,
     own_accounts = $13, language = $14
   WHERE guild_id = $1`,
);
const OPEN_LOG = statement('INSERT INTO audit_counter (guild_no, last_entry_no) VALUES ($1, 0)');
const OPEN_LEDGER = statement('INSERT INTO guild_ledger (guild_no, last_number) VALUES ($1, 0)');

interface GuildSetting {
  guild: GuildChange & { defaultPlan: Plan };
  change: Change;
}

export const GUILD_WRITES = {
  setGuild: inLane(({ guild }: GuildSetting) => `guild id ${guild.guildId}`, setGuild),
};

export function createGuildStore({ read, readNow, write }: Engine<typeof GUILD_WRITES>): GuildStore {
  return {
    async find(guildId) {
      const row = await readNow.first(FIND, [guildId]);
      return row && toGuild(row);
    },
    list: async () => (await read.all(FIND_ALL)).map(toGuild),
    async findExisting(guildIds) {
      const found = new Set((await read.all(FIND_EXISTING, [guildIds])).map(({ guildId }) => guildId));
      return guildIds.filter((guildId) => found.has(guildId));
    },
    hasAny: async () => (await read.first(FIND_ONE)) !== undefined,
    set: (guild, change) => write('setGuild', { guild, change }),
  };
}

async function setGuild(sql: Sql, { guild: wanted, change }: GuildSetting): Promise<Guild> {
  const known = await sql.first(FIND, [wanted.guildId]);
  if (known === undefined) {
    return insertGuild(sql, { guild: wanted, change });
  }
  const { guildNo } = known;
  const audit = await openAudit(sql, { guildNo, change, subjectKind: 'guild' });
  // Read again after taking the lock: its last holder may have changed the guild.
  const before = toGuild((await sql.first(FIND, [wanted.guildId])) ?? known);
  const after = { guildNo, ...changeGuild(before, wanted, change.atMs) };
  await sql.run(UPDATE, valuesOf(after));
  audit.add({ subjectId: wanted.guildId, before: toAudited(before), after: toAudited(after) });
  await audit.write();
  return after;
}

async function insertGuild(sql: Sql, { guild: wanted, change }: GuildSetting): Promise<Guild> {
  const guild = changeGuild(undefined, wanted, change.atMs);
  const row = await sql.first(INSERT, [...valuesOf(guild), guild.createdAtMs]);
  if (row === undefined) {
    throw new Conflict('the guild was made elsewhere meanwhile');
  }
  const { guildNo } = row;
  const after = { guildNo, ...guild };
  await sql.run(OPEN_LOG, [guildNo]);
  await sql.run(OPEN_LEDGER, [guildNo]);
  const audit = await openAudit(sql, { guildNo, change, subjectKind: 'guild' });
  audit.add({ subjectId: wanted.guildId, before: undefined, after: toAudited(after) });
  await audit.write();
  return after;
}

function valuesOf(guild: Omit<Guild, 'guildNo'>): Scalar[] {
  const { guildId, name, icon, ownerChatId, plan, planUntilMs, overdraftAllowed } = guild;
  const display = [
    guild.currencyName ?? null,
    guild.currencySymbol ?? null,
    guild.decimalsShown ?? null,
    guild.timeZone ?? null,
    guild.sealPublic,
    guild.ownAccounts,
    guild.language ?? null,
  ];
  const rights = [plan, planUntilMs ?? null, overdraftAllowed];
  return [guildId, name, icon ?? null, ownerChatId ?? null, ...rights, ...display];
}

/** Names each field: copying a row of SQLite as a whole takes as long as reading it. */
function toGuild(row: Row): Guild {
  return {
    guildNo: row.guildNo,
    guildId: row.guildId,
    name: row.name,
    plan: row.plan,
    createdAtMs: row.createdAtMs,
    icon: row.icon ?? undefined,
    ownerChatId: row.ownerChatId ?? undefined,
    planUntilMs: row.planUntilMs ?? undefined,
    overdraftAllowed: Boolean(row.overdraftAllowed),
    currencyName: row.currencyName ?? undefined,
    currencySymbol: row.currencySymbol ?? undefined,
    decimalsShown: row.decimalsShown ?? undefined,
    timeZone: row.timeZone ?? undefined,
    language: row.language ?? undefined,
    sealPublic: Boolean(row.sealPublic),
    ownAccounts: Boolean(row.ownAccounts),
  };
}

/** The fields of a guild that can change. */
function toAudited({ guildNo: _number, guildId: _id, createdAtMs: _created, ...rest }: Guild): object {
  return rest;
}
