import type { Guilds } from '../access/guilds.ts';
import { dayOf } from '../calendar.ts';
import { describeIn } from '../chat/commands.ts';
import type { ChatStore } from '../chat/settings.ts';
import type { DetailedTransaction, GuildTotals, LedgerViewStore } from '../ledger/ledger-views.ts';
import type { BotCommand, Guild, GuildRef } from '../model.ts';
import type { Clock } from '../ports.ts';
import type { Commands } from '../records/commands.ts';
import type { BoardParts } from './board.ts';

export const CHART_DAYS = 90;
const LEADERS_SHOWN = 10;
const MOVES_SHOWN = 10;
const COMMANDS_SHOWN_MAX = 200;

export interface BoardLeader {
  /** Players with the same balance have the same place. */
  place: number;
  /** Undefined when the board shows no names. */
  player: string | undefined;
  balanceUnits: number;
}

export interface BoardDay {
  /** The day in UTC. */
  day: number;
  depositUnits: bigint;
  withdrawalUnits: bigint;
}

export interface BoardMove {
  atMs: number;
  totalUnits: number;
  /** Undefined when the board shows no names. */
  player: string | undefined;
  text: string | undefined;
}

export interface BoardCommand extends Pick<BotCommand, 'category' | 'name' | 'description'> {
  /** The description in the guild's language, which built-in commands have. */
  shownDescription: string;
}

/** The content of a guild's public page at a moment. Parts that are off are undefined: they were not read. */
export interface BoardFacts {
  guild: Pick<Guild, 'name' | 'currencyName' | 'currencySymbol' | 'decimalsShown' | 'timeZone' | 'language'>;
  madeAtMs: number;
  totals: GuildTotals | undefined;
  leaderboard: BoardLeader[] | undefined;
  /** Every one of the last `CHART_DAYS` days, today last. */
  days: BoardDay[] | undefined;
  moves: { minUnits: number; list: BoardMove[] } | undefined;
  commands: BoardCommand[] | undefined;
}

export interface ReadBoardParts {
  guilds: Guilds;
  views: Pick<LedgerViewStore, 'totals' | 'largestBalances' | 'days' | 'listGuild'>;
  commands: Commands;
  chat: Pick<ChatStore, 'settings'>;
  clock: Clock;
}

export type ReadBoard = (guild: GuildRef, shown: BoardParts) => Promise<BoardFacts>;

/**
 * Reads the parts of a guild's page. Totals, places and days come from stored sums and an index. The search for moves visits a bounded
 * number of transactions. So the cost of a page does not grow with the ledger.
 */
export function createReadBoard({ guilds, views, commands, chat, clock }: ReadBoardParts): ReadBoard {
  async function readMoves(guild: GuildRef, minUnits: number, names: boolean): Promise<BoardMove[]> {
    const query = { limit: MOVES_SHOWN, minUnits: undefined, maxUnits: undefined, source: undefined };
    const pages = await Promise.all([
      views.listGuild(guild, { ...query, minUnits: Math.max(1, minUnits) }),
      views.listGuild(guild, { ...query, maxUnits: -Math.max(1, minUnits) }),
    ]);
    return pages
      .flatMap(({ transactions }) => transactions)
      .toSorted((one, other) => other.createdAtMs - one.createdAtMs || other.number - one.number)
      .slice(0, MOVES_SHOWN)
      .map((transaction) => toMove(transaction, names));
  }

  async function readCommands(guild: Guild): Promise<BoardCommand[]> {
    const [all, written, { commandsOff }] = await Promise.all([
      commands.list(undefined),
      commands.written(),
      chat.settings(guild),
    ]);
    // A command of the operator's bot replaces one of ours, and the guild's switches are about ours.
    const replaced = new Set(written.map(({ name }) => name));
    return all
      .filter(({ name }) => replaced.has(name) || !commandsOff.includes(name))
      .slice(0, COMMANDS_SHOWN_MAX)
      .map((command) => ({
        category: command.category,
        name: command.name,
        description: command.description,
        shownDescription: describeIn(command, guild.language),
      }));
  }

  async function readDays(guild: GuildRef): Promise<BoardDay[]> {
    const until = dayOf(clock.nowMs());
    const since = until - CHART_DAYS + 1;
    const known = new Map((await views.days(guild, { since, until })).map((day) => [day.day, day]));
    return Array.from({ length: CHART_DAYS }, (_, index) => {
      const { depositUnits = 0n, withdrawalUnits = 0n } = known.get(since + index) ?? {};
      return { day: since + index, depositUnits, withdrawalUnits };
    });
  }

  return async (ref, shown) => {
    const guild = await guilds.find(ref.guildId);
    const { name, currencyName, currencySymbol, decimalsShown, timeZone, language } = guild;
    const minUnits = shown.movesMinUnits;
    const [totals, leaders, days, moves, listed] = await Promise.all([
      shown.totals ? views.totals(guild) : undefined,
      shown.leaderboard ? views.largestBalances(guild, LEADERS_SHOWN) : undefined,
      shown.chart ? readDays(guild) : undefined,
      minUnits === undefined ? undefined : readMoves(guild, minUnits, shown.names),
      shown.commands ? readCommands(guild) : undefined,
    ]);
    return {
      guild: { name, currencyName, currencySymbol, decimalsShown, timeZone, language },
      madeAtMs: clock.nowMs(),
      totals,
      leaderboard: leaders?.map(({ playerId, username, balanceUnits }) => ({
        place: leaders.findIndex((other) => other.balanceUnits === balanceUnits) + 1,
        player: shown.names ? (username ?? playerId) : undefined,
        balanceUnits,
      })),
      days,
      moves: moves && minUnits !== undefined ? { minUnits, list: moves } : undefined,
      commands: listed,
    };
  };
}

/** The text of a transaction may name players, so it is shown only together with names. */
function toMove({ createdAtMs, totalUnits, playerId, username, name }: DetailedTransaction, names: boolean) {
  return {
    atMs: createdAtMs,
    totalUnits,
    player: names ? (username ?? playerId) : undefined,
    text: names ? name : undefined,
  };
}
