import type { DatabaseSync } from 'node:sqlite';
import type { BotCommand } from '../../domain/model.ts';
import type { CommandStore } from '../../domain/ports.ts';
import { prepare } from './connection.ts';
import { createRevisionBump, createRevisionReader } from './revision.ts';
import type { Read, WriteOf } from './write.ts';

export type CommandWrites = ReturnType<typeof createCommandWrites>;

type Row = Omit<BotCommand, 'preconditions'> & { preconditions: string };

export function createCommandStore(
  db: DatabaseSync,
  read: Read,
  write: WriteOf<CommandWrites>,
): CommandStore {
  const revision = createRevisionReader(db, 'commands');
  const findAll = prepare<Row>(
    db,
    `SELECT category, name, description, extended_help AS extendedHelp, preconditions
     FROM command ORDER BY position`,
  );
  let copy: { revision: number; commands: readonly BotCommand[] } | undefined;
  return {
    list: () =>
      read(() => {
        const current = revision.read();
        if (copy?.revision !== current) {
          const commands = findAll
            .all()
            .map((row) => ({ ...row, preconditions: JSON.parse(row.preconditions) }));
          copy = { revision: current, commands };
        }
        return copy.commands;
      }),
    replace: (commands) => write('replaceCommands', commands).finally(revision.lookAgain),
  };
}

export function createCommandWrites(db: DatabaseSync) {
  const deleteAll = prepare(db, 'DELETE FROM command');
  const insert = prepare(
    db,
    `INSERT INTO command (position, category, name, description, extended_help, preconditions)
     VALUES (?, ?, ?, ?, ?, ?)`,
  );
  const bump = createRevisionBump(db, 'commands');
  return {
    replaceCommands(commands: readonly BotCommand[]): void {
      deleteAll.run();
      commands.forEach(({ category, name, description, extendedHelp, preconditions }, position) => {
        insert.run(position, category, name, description, extendedHelp, JSON.stringify(preconditions));
      });
      bump();
    },
  };
}
