import type { Board, BoardSettings, BoardStore } from '../../domain/board/board.ts';
import { DomainError } from '../../domain/errors.ts';
import { decimalText } from '../../domain/ledger/amount.ts';
import type { Change, GuildRef } from '../../domain/model.ts';
import { openAudit } from '../audit/audit-writer.ts';
import { type Engine, inGuildLane } from '../jobs.ts';
import { bumpRevision, type PartRevision } from '../revision.ts';
import { type Sql, statement } from '../sql.ts';

interface Row {
  guildNo: number;
  guildId: string;
  name: string;
  isPublished: boolean | number;
  names: boolean | number;
  leaderboard: boolean | number;
  totals: boolean | number;
  chart: boolean | number;
  movesMinUnits: number | null;
  commands: boolean | number;
}

const SELECT = `SELECT b.guild_no AS "guildNo", g.guild_id AS "guildId", b.name, b.is_published AS "isPublished",
    b.shows_names AS names, b.shows_leaderboard AS leaderboard, b.shows_totals AS totals, b.shows_chart AS chart,
    b.moves_min AS "movesMinUnits", b.shows_commands AS commands
  FROM guild_board AS b JOIN guild AS g ON g.guild_no = b.guild_no`;
const FIND = statement<Row>(`${SELECT} WHERE b.guild_no = $1`);
const FIND_ALL = statement<Row>(`${SELECT} ORDER BY b.name`);
const FIND_NAMED = statement<Row>(
  ({ isOneOf }) => `${SELECT} WHERE ${isOneOf('b.name', { value: '$1', type: 'text' })}`,
);
// Of two guilds that choose a name at the same time, the second waits for the commit of the first and then inserts nothing.
const INSERT = statement<{ guildNo: number }>(
  `INSERT INTO guild_board (guild_no, name, is_published, shows_names, shows_leaderboard, shows_totals, shows_chart,
     moves_min, shows_commands)
   VALUES ($1, $2, $3, $4, $5, $6, $7, $8, $9) ON CONFLICT (name) DO NOTHING RETURNING guild_no AS "guildNo"`,
);
const UPDATE = statement(
  `UPDATE guild_board SET is_published = $2, shows_names = $3, shows_leaderboard = $4, shows_totals = $5,
     shows_chart = $6, moves_min = $7, shows_commands = $8 WHERE guild_no = $1`,
);

interface BoardChange extends GuildRef {
  board: BoardSettings & { name: string };
  change: Change;
}

export const BOARD_WRITES = { setBoard: inGuildLane(setBoard) };

export function createBoardStore(
  { read, write }: Engine<typeof BOARD_WRITES>,
  revision: PartRevision,
): BoardStore {
  return {
    async find({ guildNo }) {
      const row = await read.first(FIND, [guildNo]);
      return row && toBoard(row);
    },
    list: async () => (await read.all(FIND_ALL)).map(toBoard),
    findNamed: async (names) => (await read.all(FIND_NAMED, [names])).map(toBoard),
    set: ({ guildNo, guildId }, board, change) =>
      write('setBoard', { guildNo, guildId, board, change }).finally(revision.lookAgain),
    revision: () => revision.read(),
  };
}

async function setBoard(sql: Sql, { guildNo, guildId, board, change }: BoardChange): Promise<void> {
  const audit = await openAudit(sql, { guildNo, change, subjectKind: 'guild' });
  const row = await sql.first(FIND, [guildNo]);
  if (row !== undefined && row.name !== board.name) {
    throw new DomainError('board_name_fixed');
  }
  const { isPublished, names, leaderboard, totals, chart, movesMinUnits = null, commands } = board;
  const values = [isPublished, names, leaderboard, totals, chart, movesMinUnits, commands];
  if (row !== undefined) {
    await sql.run(UPDATE, [guildNo, ...values]);
  } else if ((await sql.first(INSERT, [guildNo, board.name, ...values])) === undefined) {
    throw new DomainError('board_name_taken');
  }
  audit.add({
    subjectId: guildId,
    before: row === undefined ? {} : toAudited(toBoard(row)),
    after: toAudited(board),
  });
  await audit.write();
  await bumpRevision(sql, 'boards');
}

function toBoard({ guildNo, guildId, ...row }: Row): Board {
  return {
    name: row.name,
    guild: { guildNo, guildId },
    isPublished: Boolean(row.isPublished),
    names: Boolean(row.names),
    leaderboard: Boolean(row.leaderboard),
    totals: Boolean(row.totals),
    chart: Boolean(row.chart),
    movesMinUnits: row.movesMinUnits ?? undefined,
    commands: Boolean(row.commands),
  };
}

function toAudited(board: BoardSettings & { name: string }): object {
  const { name, isPublished, names, leaderboard, totals, chart, movesMinUnits, commands } = board;
  return {
    boardName: name,
    boardPublished: isPublished,
    boardNames: names,
    boardLeaderboard: leaderboard,
    boardTotals: totals,
    boardChart: chart,
    boardMovesFrom: movesMinUnits === undefined ? undefined : decimalText(movesMinUnits),
    boardCommands: commands,
  };
}
