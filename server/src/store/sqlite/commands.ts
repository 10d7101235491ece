import type { DatabaseSync } from 'node:sqlite';
import { DomainError } from '../../domain/errors.ts';
import type { BotCommand, Change, PutOutcome } from '../../domain/model.ts';
import type { CommandStore } from '../../domain/ports.ts';
import { catalogueTag } from '../../domain/records/commands.ts';
import { createAuditWriter, NO_GUILD } from './audit.ts';
import { prepare } from './connection.ts';
import { createRevisionBump, type Revisions } from './revision.ts';
import type { Read, WriteOf } from './write.ts';

export type CommandWrites = ReturnType<typeof createCommandWrites>;

type Row = Omit<BotCommand, 'preconditions'> & { preconditions: string };

const SELECT = `SELECT category, name, description, extended_help AS extendedHelp, preconditions
  FROM command ORDER BY position`;

export interface CommandStoreParts {
  db: DatabaseSync;
  read: Read;
  write: WriteOf<CommandWrites>;
  revisions: Revisions;
}

export function createCommandStore({ db, read, write, revisions }: CommandStoreParts): CommandStore {
  const findAll = prepare<Row>(db, SELECT);
  let copy: { revision: number; commands: readonly BotCommand[] } | undefined;
  return {
    list: () =>
      read(() => {
        const current = revisions.of('commands');
        if (copy?.revision !== current) {
          copy = { revision: current, commands: findAll.all().map(toCommand) };
        }
        return copy.commands;
      }),
    replace: (commands, change, expectedTag) =>
      write('replaceCommands', { commands, change, expectedTag }).finally(revisions.lookAgain),
  };
}

interface Replacement {
  commands: readonly BotCommand[];
  change: Change;
  expectedTag: string | undefined;
}

export function createCommandWrites(db: DatabaseSync) {
  const findAll = prepare<Row>(db, SELECT);
  const deleteAll = prepare(db, 'DELETE FROM command');
  const insert = prepare(
    db,
    `INSERT INTO command (position, category, name, description, extended_help, preconditions)
     VALUES (?, ?, ?, ?, ?, ?)`,
  );
  const bump = createRevisionBump(db, 'commands');
  const audit = createAuditWriter(db);
  return {
    replaceCommands({ commands, change, expectedTag }: Replacement): PutOutcome {
      const before = findAll.all().map(toCommand);
      const tags = { before: catalogueTag(before), after: catalogueTag(commands) };
      if (expectedTag !== undefined && expectedTag !== tags.before) {
        throw new DomainError('commands_changed');
      }
      if (tags.before === tags.after) {
        return 'unchanged';
      }
      deleteAll.run();
      commands.forEach(({ category, name, description, extendedHelp, preconditions }, position) => {
        insert.run(position, category, name, description, extendedHelp, JSON.stringify(preconditions));
      });
      audit({
        guildNo: NO_GUILD,
        change,
        subjectKind: 'commands',
        subjectId: 'catalogue',
        before: before.length === 0 ? undefined : { count: before.length, tag: tags.before },
        after: { count: commands.length, tag: tags.after },
      });
      bump();
      return before.length === 0 ? 'created' : 'updated';
    },
  };
}

function toCommand(row: Row): BotCommand {
  return { ...row, preconditions: JSON.parse(row.preconditions) };
}
