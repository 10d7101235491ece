import { DomainError } from '../../domain/errors.ts';
import type { BotCommand, Change, PutOutcome } from '../../domain/model.ts';
import type { CommandStore } from '../../domain/ports.ts';
import { catalogueTag } from '../../domain/records/commands.ts';
import { NO_GUILD, openAudit } from '../audit/audit-writer.ts';
import { type Engine, inLane } from '../jobs.ts';
import { bumpRevision, type PartRevision } from '../revision.ts';
import { manyRows, type Sql, statement } from '../sql.ts';

type Row = Omit<BotCommand, 'preconditions'> & { preconditions: string };

const FIND_ALL = statement<Row>(
  `SELECT category, name, description, extended_help AS "extendedHelp", preconditions
   FROM command ORDER BY position`,
);
const DELETE_ALL = statement('DELETE FROM command');
const INSERT = manyRows({
  table: 'command',
  columns: {
    position: 'bigint',
    category: 'text',
    name: 'text',
    description: 'text',
    extended_help: 'text',
    preconditions: 'text',
  },
});

interface Replacement {
  commands: readonly BotCommand[];
  change: Change;
  /** The tag that the present catalogue must have; undefined replaces any. */
  expectedTag: string | undefined;
}

export const COMMAND_WRITES = {
  replaceCommands: inLane((_: Replacement) => 'commands', replaceCommands),
};

/** Keeps the catalogue in memory for as long as its revision does not change. */
export function createCommandStore(
  { read, write }: Engine<typeof COMMAND_WRITES>,
  revision: PartRevision,
): CommandStore {
  let copy: { revision: number; commands: Promise<readonly BotCommand[]> } | undefined;

  async function findAll(): Promise<readonly BotCommand[]> {
    return (await read.all(FIND_ALL)).map(toCommand);
  }

  return {
    async list() {
      const current = await revision.read();
      if (copy?.revision !== current) {
        const mine = { revision: current, commands: findAll() };
        copy = mine;
        // A failed read is not cached: the next one tries again.
        mine.commands.catch(() => {
          copy = copy === mine ? undefined : copy;
        });
      }
      return copy.commands;
    },
    replace: (commands, change, expectedTag) =>
      write('replaceCommands', { commands, change, expectedTag }).finally(revision.lookAgain),
  };
}

async function replaceCommands(
  sql: Sql,
  { commands, change, expectedTag }: Replacement,
): Promise<PutOutcome> {
  const audit = await openAudit(sql, { guildNo: NO_GUILD, change, subjectKind: 'commands' });
  const before = (await sql.all(FIND_ALL)).map(toCommand);
  const tags = { before: catalogueTag(before), after: catalogueTag(commands) };
  if (expectedTag !== undefined && expectedTag !== tags.before) {
    throw new DomainError('commands_changed');
  }
  if (tags.before === tags.after) {
    return 'unchanged';
  }
  await sql.run(DELETE_ALL);
  await sql.runMany(
    INSERT,
    [],
    commands.map(({ category, name, description, extendedHelp, preconditions }, position) => [
      position,
      category,
      name,
      description,
      extendedHelp,
      JSON.stringify(preconditions),
    ]),
  );
  audit.add({
    subjectId: 'catalogue',
    before: before.length === 0 ? undefined : { count: before.length, tag: tags.before },
    after: { count: commands.length, tag: tags.after },
  });
  await audit.write();
  await bumpRevision(sql, 'commands');
  return before.length === 0 ? 'created' : 'updated';
}

function toCommand(row: Row): BotCommand {
  return { ...row, preconditions: JSON.parse(row.preconditions) };
}
