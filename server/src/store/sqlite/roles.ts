import type { DatabaseSync } from 'node:sqlite';
import {
  assertRoom,
  CHAT_ROLES_MAX,
  type ChatRole,
  type InvitedPerson,
  PEOPLE_MAX,
  type RoleStore,
} from '../../domain/access/roles.ts';
import type { Change } from '../../domain/model.ts';
import { chatRoleSubject, type GrantRow, personSubject, toGrants } from '../role-rows.ts';
import { createAuditWriter } from './audit.ts';
import { inSnapshot, prepare } from './connection.ts';
import type { Read, WriteOf } from './write.ts';

export type RoleWrites = ReturnType<typeof createRoleWrites>;

interface RoleParts {
  db: DatabaseSync;
  read: Read;
  write: WriteOf<RoleWrites>;
}

export function createRoleStore({ db, read, write }: RoleParts): RoleStore {
  const findChatRoles = prepare<ChatRole>(
    db,
    `SELECT chat_role_id AS chatRoleId, name, role FROM guild_chat_role WHERE guild_no = ? ORDER BY name, chat_role_id`,
  );
  const findPeople = prepare<InvitedPerson>(
    db,
    `SELECT chat_id AS chatId, role, invited_by AS invitedBy, created_at AS createdAtMs FROM guild_person
     WHERE guild_no = ? ORDER BY chat_id`,
  );
  const findGrants = prepare<GrantRow>(
    db,
    `SELECT g.guild_id AS guildId, c.chat_role_id AS chatRoleId, c.role FROM guild g JOIN guild_chat_role c USING (guild_no)
     WHERE g.guild_id = ?1
     UNION ALL SELECT g.guild_id, NULL, p.role FROM guild g JOIN guild_person p USING (guild_no)
     WHERE g.guild_id = ?1 AND p.chat_id = ?2`,
  );
  return {
    chatRoles: ({ guildNo }) => read(() => findChatRoles.all(guildNo)),
    people: ({ guildNo }) => read(() => findPeople.all(guildNo)),
    grants: (chatId, guildIds) =>
      read(() =>
        inSnapshot(db, () => toGrants(guildIds.flatMap((guildId) => findGrants.all(guildId, chatId)))),
      ),
    setChatRole: ({ guildNo }, chatRole, change) => write('setChatRole', { guildNo, chatRole, change }),
    deleteChatRole: ({ guildNo }, chatRoleId, change) =>
      write('deleteChatRole', { guildNo, chatRoleId, change }),
    setPerson: ({ guildNo }, person, change) => write('setPerson', { guildNo, person, change }),
    deletePerson: ({ guildNo }, chatId, change) => write('deletePerson', { guildNo, chatId, change }),
  };
}

interface RoleChange {
  guildNo: number;
  change: Change;
}

export function createRoleWrites(db: DatabaseSync) {
  const audit = createAuditWriter(db);
  const chatRoles = prepareTable(db, { table: 'guild_chat_role', id: 'chat_role_id' });
  const people = prepareTable(db, { table: 'guild_person', id: 'chat_id' });
  const putChatRole = prepare(
    db,
    `INSERT INTO guild_chat_role (guild_no, chat_role_id, name, role) VALUES (?, ?, ?, ?)
     ON CONFLICT (guild_no, chat_role_id) DO UPDATE SET name = excluded.name, role = excluded.role`,
  );
  const findChatRole = prepare<{ name: string; role: string }>(
    db,
    'SELECT name, role FROM guild_chat_role WHERE guild_no = ? AND chat_role_id = ?',
  );
  const putPerson = prepare(
    db,
    `INSERT INTO guild_person (guild_no, chat_id, role, invited_by, created_at) VALUES (?, ?, ?, ?, ?)
     ON CONFLICT (guild_no, chat_id) DO UPDATE SET role = excluded.role`,
  );
  const findPerson = prepare<{ role: string }>(
    db,
    'SELECT role FROM guild_person WHERE guild_no = ? AND chat_id = ?',
  );
  const log = (guildNo: number, change: Change, subjectId: string, before?: object, after?: object) =>
    audit({ guildNo, change, subjectKind: 'role', subjectId, before, after });
  return {
    setChatRole({ guildNo, chatRole, change }: RoleChange & { chatRole: ChatRole }): void {
      const { chatRoleId, name, role } = chatRole;
      const before = findChatRole.get(guildNo, chatRoleId);
      if (before === undefined) {
        assertRoom(chatRoles.count(guildNo), CHAT_ROLES_MAX, 'chat roles');
      }
      putChatRole.run(guildNo, chatRoleId, name, role);
      log(guildNo, change, chatRoleSubject(chatRoleId), before, { name, role });
    },
    deleteChatRole({ guildNo, chatRoleId, change }: RoleChange & { chatRoleId: string }): boolean {
      const before = findChatRole.get(guildNo, chatRoleId);
      if (before === undefined) {
        return false;
      }
      chatRoles.remove(guildNo, chatRoleId);
      return log(guildNo, change, chatRoleSubject(chatRoleId), before);
    },
    setPerson(input: RoleChange & { person: Pick<InvitedPerson, 'chatId' | 'role'> }): void {
      const { guildNo, change, person } = input;
      const { chatId, role } = person;
      const before = findPerson.get(guildNo, chatId);
      if (before === undefined) {
        assertRoom(people.count(guildNo), PEOPLE_MAX, 'people');
      }
      putPerson.run(guildNo, chatId, role, `${change.actor.kind}:${change.actor.id}`, change.atMs);
      log(guildNo, change, personSubject(chatId), before, { role });
    },
    deletePerson({ guildNo, chatId, change }: RoleChange & { chatId: string }): boolean {
      const before = findPerson.get(guildNo, chatId);
      if (before === undefined) {
        return false;
      }
      people.remove(guildNo, chatId);
      return log(guildNo, change, personSubject(chatId), before);
    },
  };
}

function prepareTable(
  db: DatabaseSync,
  { table, id }: { table: 'guild_chat_role' | 'guild_person'; id: 'chat_role_id' | 'chat_id' },
) {
  const count = prepare<{ count: number }>(db, `SELECT count(*) AS count FROM ${table} WHERE guild_no = ?`);
  const remove = prepare(db, `DELETE FROM ${table} WHERE guild_no = ? AND ${id} = ?`);
  return {
    count: (guildNo: number) => count.get(guildNo)?.count ?? 0,
    remove: (guildNo: number, key: string) => remove.run(guildNo, key),
  };
}
