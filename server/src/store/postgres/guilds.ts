import { changeGuild } from '../../domain/access/guilds.ts';
import type { Change, Guild, GuildChange, Plan } from '../../domain/model.ts';
import type { GuildStore } from '../../domain/ports.ts';
import { type GuildRow, guildOfRow, toAudited } from '../guild-rows.ts';
import { openAudit } from './audit.ts';
import { Conflict } from './faults.ts';
import { prepare, type Runner, type Value } from './statement.ts';
import type { Writer } from './write.ts';

type Row = GuildRow<boolean>;

const SELECT = `SELECT guild_no AS "guildNo", guild_id AS "guildId", name, icon, owner_chat_id AS "ownerChatId", plan,
  plan_until AS "planUntilMs", overdraft_allowed AS "overdraftAllowed", currency_name AS "currencyName",
  currency_symbol AS "currencySymbol", decimals_shown AS "decimalsShown", created_at AS "createdAtMs" FROM guild`;
const FIND = prepare<Row>(`${SELECT} WHERE guild_id = $1`);
const FIND_ALL = prepare<Row>(`${SELECT} ORDER BY guild_id`);
const FIND_ONE = prepare<Row>(`${SELECT} LIMIT 1`);
// Not an upsert, which would use up a number at every change.
const INSERT = prepare<{ guildNo: number }>(
  `INSERT INTO guild (guild_id, name, icon, owner_chat_id, plan, plan_until, overdraft_allowed, currency_name,
     currency_symbol, decimals_shown, created_at)
   VALUES ($1, $2, $3, $4, $5, $6, $7, $8, $9, $10, $11) ON CONFLICT (guild_id) DO NOTHING RETURNING guild_no AS "guildNo"`,
);
const UPDATE = prepare(
  `UPDATE guild SET name = $2, icon = $3, owner_chat_id = $4, plan = $5, plan_until = $6, overdraft_allowed = $7,
     currency_name = $8, currency_symbol = $9, decimals_shown = $10 WHERE guild_id = $1`,
);
const COUNT_FROM_ZERO = prepare('INSERT INTO audit_counter (guild_no, last_entry_no) VALUES ($1, 0)');
const OPEN_LEDGER = prepare('INSERT INTO guild_ledger (guild_no) VALUES ($1)');

type WantedGuild = GuildChange & { defaultPlan: Plan };

export function createGuildStore(read: Runner, { write }: Writer): GuildStore {
  return {
    async find(guildId) {
      const row = await read.first(FIND, [guildId]);
      return row && guildOfRow(row);
    },
    list: async () => (await read.all(FIND_ALL)).map(guildOfRow),
    hasAny: async () => (await read.first(FIND_ONE)) !== undefined,
    set: (guild, change) =>
      write(`guild id ${guild.guildId}`, (transaction) => set(transaction, guild, change)),
  };
}

async function set(transaction: Runner, wanted: WantedGuild, change: Change): Promise<Guild> {
  const known = await transaction.first(FIND, [wanted.guildId]);
  if (known === undefined) {
    return insert(transaction, wanted, change);
  }
  const { guildNo } = known;
  const audit = await openAudit(transaction, { guildNo, change, subjectKind: 'guild' });
  // Read again behind the lock: whoever held it may have changed the guild.
  const before = guildOfRow((await transaction.first(FIND, [wanted.guildId])) ?? known);
  const after = { guildNo, ...changeGuild(before, wanted, change.atMs) };
  await transaction.run(UPDATE, valuesOf(after));
  audit.add({ subjectId: wanted.guildId, before: toAudited(before), after: toAudited(after) });
  await audit.write();
  return after;
}

async function insert(transaction: Runner, wanted: WantedGuild, change: Change): Promise<Guild> {
  const guild = changeGuild(undefined, wanted, change.atMs);
  const row = await transaction.first(INSERT, [...valuesOf(guild), guild.createdAtMs]);
  if (row === undefined) {
    throw new Conflict('the guild was made elsewhere meanwhile');
  }
  const after = { guildNo: row.guildNo, ...guild };
  await transaction.run(COUNT_FROM_ZERO, [row.guildNo]);
  await transaction.run(OPEN_LEDGER, [row.guildNo]);
  const audit = await openAudit(transaction, { guildNo: row.guildNo, change, subjectKind: 'guild' });
  audit.add({ subjectId: wanted.guildId, before: undefined, after: toAudited(after) });
  await audit.write();
  return after;
}

function valuesOf(guild: Omit<Guild, 'guildNo'>): Value[] {
  const { guildId, name, icon, ownerChatId, plan, planUntilMs, overdraftAllowed } = guild;
  const display = [guild.currencyName ?? null, guild.currencySymbol ?? null, guild.decimalsShown ?? null];
  const rights = [plan, planUntilMs ?? null, overdraftAllowed];
  return [guildId, name, icon ?? null, ownerChatId ?? null, ...rights, ...display];
}
