import { createCache } from '../../domain/cache.ts';
import {
  type ChatGuild,
  type ChatSettings,
  type ChatStore,
  type PaidInDay,
  USUAL_CHAT_SETTINGS,
} from '../../domain/chat/settings.ts';
import { decimalText } from '../../domain/ledger/amount.ts';
import type { MaybePromise } from '../../domain/maybe-promise.ts';
import type { Change, GuildRef } from '../../domain/model.ts';
import type { GuildStore } from '../../domain/ports.ts';
import { LAST_ENTRY, openAudit } from '../audit/audit-writer.ts';
import { type Engine, inGuildLane } from '../jobs.ts';
import { type Sql, statement } from '../sql.ts';

interface SettingsRow {
  commandsOff: string;
  membersPay: boolean | number;
  payDayMaxUnits: number | null;
  balancesShown: boolean | number;
}

const FIND = statement<SettingsRow>(
  `SELECT commands_off AS "commandsOff", members_pay AS "membersPay", pay_day_max AS "payDayMaxUnits",
     balances_shown AS "balancesShown" FROM guild_chat WHERE guild_no = $1`,
);
const PUT = statement(
  `INSERT INTO guild_chat (guild_no, commands_off, members_pay, pay_day_max, balances_shown) VALUES ($1, $2, $3, $4, $5)
   ON CONFLICT (guild_no) DO UPDATE SET commands_off = excluded.commands_off, members_pay = excluded.members_pay,
     pay_day_max = excluded.pay_day_max, balances_shown = excluded.balances_shown`,
);
const FORGET_BEFORE = statement('DELETE FROM chat_payment WHERE guild_no = $1 AND day < $2');
const FIND_PAYMENTS = statement<{ key: string; units: number }>(
  'SELECT payment_key AS key, units FROM chat_payment WHERE guild_no = $1 AND day = $2 AND chat_id = $3',
);
const COUNT = statement(
  'INSERT INTO chat_payment (guild_no, day, chat_id, payment_key, units) VALUES ($1, $2, $3, $4, $5)',
);
const UNCOUNT = statement(
  'DELETE FROM chat_payment WHERE guild_no = $1 AND day = $2 AND chat_id = $3 AND payment_key = $4',
);

export const CHAT_WRITES = {
  setChatSettings: inGuildLane(setSettings),
  countChatPayment: inGuildLane(countPayment),
  uncountChatPayment: inGuildLane(uncountPayment),
};

/** Guilds that are cached with their settings. The cache holds at most two generations of this size. */
const CACHED_GUILDS_MAX = 5_000;

export interface ChatStoreParts {
  engine: Engine<typeof CHAT_WRITES>;
  guilds: Pick<GuildStore, 'find'>;
  /** The number of the last entry in a guild's log. It reflects every commit acknowledged before the call. */
  lastEntry(guildNo: number): MaybePromise<number>;
}

export function createChatStore({ engine, guilds, lastEntry }: ChatStoreParts): ChatStore {
  const { readNow, write } = engine;
  const cache = createCache<ChatGuild & { entryNo: number }>(CACHED_GUILDS_MAX);

  async function settings({ guildNo }: GuildRef): Promise<ChatSettings> {
    const row = await readNow.first(FIND, [guildNo]);
    return row === undefined ? USUAL_CHAT_SETTINGS : toSettings(row);
  }

  return {
    settings,
    async find(guildId) {
      const cached = cache.get(guildId);
      const guildNo = cached?.guild.guildNo ?? (await guilds.find(guildId))?.guildNo;
      if (guildNo === undefined) {
        return undefined;
      }
      // Each change of a guild or of its settings has an entry. The number is read first, so that a change meanwhile invalidates the cache.
      const entryNo = await lastEntry(guildNo);
      if (cached?.entryNo === entryNo) {
        return cached;
      }
      const guild = await guilds.find(guildId);
      if (guild === undefined) {
        return undefined;
      }
      const found = { entryNo, guild, settings: await settings(guild) };
      cache.set(guildId, found);
      return found;
    },
    setSettings: ({ guildNo, guildId }, settings, change) =>
      write('setChatSettings', { guildNo, guildId, settings, change }),
    countPayment: ({ guildNo }, payment, maxUnits) =>
      write('countChatPayment', { guildNo, payment, maxUnits }),
    uncountPayment: ({ guildNo }, payment) => write('uncountChatPayment', { guildNo, payment }),
  };
}

async function setSettings(
  sql: Sql,
  { guildNo, guildId, settings, change }: GuildRef & { settings: ChatSettings; change: Change },
): Promise<void> {
  const audit = await openAudit(sql, { guildNo, change, subjectKind: 'guild' });
  const row = await sql.first(FIND, [guildNo]);
  const before = row === undefined ? USUAL_CHAT_SETTINGS : toSettings(row);
  const { commandsOff, membersPay, payDayMaxUnits, balancesShown } = settings;
  await sql.run(PUT, [guildNo, commandsOff.join(','), membersPay, payDayMaxUnits ?? null, balancesShown]);
  audit.add({ subjectId: guildId, before: toAudited(before), after: toAudited(settings) });
  await audit.write();
}

async function countPayment(
  sql: Sql,
  { guildNo, payment, maxUnits }: { guildNo: number; payment: PaidInDay; maxUnits: number },
): Promise<boolean> {
  const { day, chatId, key, units } = payment;
  // Locks the guild's log, so that the payments of a guild are counted one after the other on all instances.
  await sql.first(LAST_ENTRY, [guildNo]);
  // A confirmation is valid for minutes, so it counts on this day or on the one before.
  await sql.run(FORGET_BEFORE, [guildNo, day - 1]);
  const counted = await sql.all(FIND_PAYMENTS, [guildNo, day, chatId]);
  if (counted.some((one) => one.key === key)) {
    return true;
  }
  if (counted.reduce((sum, one) => sum + one.units, units) > maxUnits) {
    return false;
  }
  await sql.run(COUNT, [guildNo, day, chatId, key, units]);
  return true;
}

async function uncountPayment(
  sql: Sql,
  { guildNo, payment: { day, chatId, key } }: { guildNo: number; payment: PaidInDay },
): Promise<void> {
  await sql.run(UNCOUNT, [guildNo, day, chatId, key]);
}

function toSettings(row: SettingsRow): ChatSettings {
  return {
    commandsOff: row.commandsOff === '' ? [] : row.commandsOff.split(','),
    membersPay: Boolean(row.membersPay),
    payDayMaxUnits: row.payDayMaxUnits ?? undefined,
    balancesShown: Boolean(row.balancesShown),
  };
}

function toAudited({ commandsOff, membersPay, payDayMaxUnits, balancesShown }: ChatSettings): object {
  return {
    chatCommandsOff: commandsOff.join(', '),
    chatMembersPay: membersPay,
    chatPaidInDay: payDayMaxUnits === undefined ? undefined : decimalText(payDayMaxUnits),
    chatBalancesShown: balancesShown,
  };
}
