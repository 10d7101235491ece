import { DomainError } from '../../domain/errors.ts';
import type { BotCommand, Change, PutOutcome } from '../../domain/model.ts';
import type { CommandStore } from '../../domain/ports.ts';
import { catalogueTag } from '../../domain/records/commands.ts';
import { NO_GUILD, openAudit } from './audit.ts';
import { bumpRevision, type RevisionReader } from './revision.ts';
import { prepare, type Runner } from './statement.ts';
import type { Writer } from './write.ts';

type Row = Omit<BotCommand, 'preconditions'> & { preconditions: string };

const FIND_ALL = prepare<Row>(
  `SELECT category, name, description, extended_help AS "extendedHelp", preconditions
   FROM command ORDER BY position`,
);
const DELETE_ALL = prepare('DELETE FROM command');
const INSERT = prepare(
  `INSERT INTO command (position, category, name, description, extended_help, preconditions)
   SELECT position - 1, category, name, description, extended_help, preconditions
   FROM unnest($1::text[], $2::text[], $3::text[], $4::text[], $5::text[])
     WITH ORDINALITY AS c (category, name, description, extended_help, preconditions, position)`,
);

export function createCommandStore(read: Runner, { write }: Writer, revision: RevisionReader): CommandStore {
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
        // A failed reading is not kept: the next one tries again.
        mine.commands.catch(() => {
          copy = copy === mine ? undefined : copy;
        });
      }
      return copy.commands;
    },
    replace: (commands, change, expectedTag) =>
      write('commands', (transaction) => replace(transaction, { commands, change, expectedTag })).finally(
        revision.lookAgain,
      ),
  };
}

interface Replacement {
  commands: readonly BotCommand[];
  change: Change;
  expectedTag: string | undefined;
}

async function replace(transaction: Runner, replacement: Replacement): Promise<PutOutcome> {
  const { commands, change, expectedTag } = replacement;
  const audit = await openAudit(transaction, { guildNo: NO_GUILD, change, subjectKind: 'commands' });
  const before = (await transaction.all(FIND_ALL)).map(toCommand);
  const tags = { before: catalogueTag(before), after: catalogueTag(commands) };
  if (expectedTag !== undefined && expectedTag !== tags.before) {
    throw new DomainError('commands_changed');
  }
  if (tags.before === tags.after) {
    return 'unchanged';
  }
  await transaction.run(DELETE_ALL);
  await transaction.run(INSERT, [
    commands.map(({ category }) => category),
    commands.map(({ name }) => name),
    commands.map(({ description }) => description),
    commands.map(({ extendedHelp }) => extendedHelp),
    commands.map(({ preconditions }) => JSON.stringify(preconditions)),
  ]);
  audit.add({
    subjectId: 'catalogue',
    before: before.length === 0 ? undefined : { count: before.length, tag: tags.before },
    after: { count: commands.length, tag: tags.after },
  });
  await audit.write();
  await bumpRevision(transaction, 'commands');
  return before.length === 0 ? 'created' : 'updated';
}

function toCommand(row: Row): BotCommand {
  return { ...row, preconditions: JSON.parse(row.preconditions) };
}
