import {
  assertRoom,
  CHAT_ROLES_MAX,
  type ChatRole,
  chatRoleSubject,
  type InvitedPerson,
  PEOPLE_MAX,
  personSubject,
  type RoleStore,
} from '../../domain/access/roles.ts';
import type { Change } from '../../domain/model.ts';
import { openAudit } from '../audit/audit-writer.ts';
import { type Engine, inGuildLane } from '../jobs.ts';
import { type Scalar, type Sql, type Statement, statement } from '../sql.ts';
import { type GrantRow, toGrants } from './role-rows.ts';

const FIND_CHAT_ROLES = statement<ChatRole>(
  `SELECT chat_role_id AS "chatRoleId", name, role FROM guild_chat_role WHERE guild_no = $1 ORDER BY name, chat_role_id`,
);
const FIND_PEOPLE = statement<InvitedPerson>(
  `SELECT chat_id AS "chatId", role, invited_by AS "invitedBy", created_at AS "createdAtMs" FROM guild_person
   WHERE guild_no = $1 ORDER BY chat_id`,
);
const FIND_GRANTS = statement<GrantRow>(({ isOneOf }) => {
  const isMeant = isOneOf('g.guild_id', { value: '$1', type: 'text' });
  return `SELECT g.guild_id AS "guildId", c.chat_role_id AS "chatRoleId", c.role
    FROM guild g JOIN guild_chat_role c USING (guild_no) WHERE ${isMeant}
    UNION ALL SELECT g.guild_id, NULL, p.role FROM guild g JOIN guild_person p USING (guild_no)
    WHERE ${isMeant} AND p.chat_id = $2`;
});

/** The table of one kind of subject: chat roles or people. Each row grants a role to one of them. */
interface RoleTable {
  find: Statement<object>;
  count: Statement<{ count: number }>;
  put: Statement<never>;
  remove: Statement<never>;
  max: number;
  /** Names the subjects in an error message. */
  subjects: string;
}

const CHAT_ROLES: RoleTable = {
  find: statement('SELECT name, role FROM guild_chat_role WHERE guild_no = $1 AND chat_role_id = $2'),
  count: statement('SELECT count(*) AS count FROM guild_chat_role WHERE guild_no = $1'),
  put: statement(
    `INSERT INTO guild_chat_role (guild_no, chat_role_id, name, role) VALUES ($1, $2, $3, $4)
     ON CONFLICT (guild_no, chat_role_id) DO UPDATE SET name = excluded.name, role = excluded.role`,
  ),
  remove: statement('DELETE FROM guild_chat_role WHERE guild_no = $1 AND chat_role_id = $2'),
  max: CHAT_ROLES_MAX,
  subjects: 'chat roles',
};
const PEOPLE: RoleTable = {
  find: statement('SELECT role FROM guild_person WHERE guild_no = $1 AND chat_id = $2'),
  count: statement('SELECT count(*) AS count FROM guild_person WHERE guild_no = $1'),
  put: statement(
    `INSERT INTO guild_person (guild_no, chat_id, role, invited_by, created_at) VALUES ($1, $2, $3, $4, $5)
     ON CONFLICT (guild_no, chat_id) DO UPDATE SET role = excluded.role`,
  ),
  remove: statement('DELETE FROM guild_person WHERE guild_no = $1 AND chat_id = $2'),
  max: PEOPLE_MAX,
  subjects: 'people',
};

interface RoleChange {
  guildNo: number;
  change: Change;
}

export const ROLE_WRITES = {
  setChatRole: inGuildLane((sql, { chatRole, ...on }: RoleChange & { chatRole: ChatRole }) => {
    const { chatRoleId, name, role } = chatRole;
    const subject = { id: chatRoleId, subjectId: chatRoleSubject(chatRoleId) };
    return put(sql, CHAT_ROLES, { ...on, ...subject, values: [name, role], after: { name, role } });
  }),
  deleteChatRole: inGuildLane((sql, { chatRoleId, ...on }: RoleChange & { chatRoleId: string }) =>
    remove(sql, CHAT_ROLES, { ...on, id: chatRoleId, subjectId: chatRoleSubject(chatRoleId) }),
  ),
  setPerson: inGuildLane(
    (sql, { person, ...on }: RoleChange & { person: Pick<InvitedPerson, 'chatId' | 'role'> }) => {
      const { chatId, role } = person;
      const { actor, atMs } = on.change;
      const subject = { id: chatId, subjectId: personSubject(chatId) };
      const values = [role, `${actor.kind}:${actor.id}`, atMs];
      return put(sql, PEOPLE, { ...on, ...subject, values, after: { role } });
    },
  ),
  deletePerson: inGuildLane((sql, { chatId, ...on }: RoleChange & { chatId: string }) =>
    remove(sql, PEOPLE, { ...on, id: chatId, subjectId: personSubject(chatId) }),
  ),
};

export function createRoleStore({ read, write }: Engine<typeof ROLE_WRITES>): RoleStore {
  return {
    chatRoles: async ({ guildNo }) => read.all(FIND_CHAT_ROLES, [guildNo]),
    people: async ({ guildNo }) => read.all(FIND_PEOPLE, [guildNo]),
    grants: async (chatId, guildIds) => toGrants(await read.all(FIND_GRANTS, [guildIds, chatId])),
    setChatRole: ({ guildNo }, chatRole, change) => write('setChatRole', { guildNo, chatRole, change }),
    deleteChatRole: ({ guildNo }, chatRoleId, change) =>
      write('deleteChatRole', { guildNo, chatRoleId, change }),
    setPerson: ({ guildNo }, person, change) => write('setPerson', { guildNo, person, change }),
    deletePerson: ({ guildNo }, chatId, change) => write('deletePerson', { guildNo, chatId, change }),
  };
}

interface Subject extends RoleChange {
  id: string;
  /** The subject's name in the audit log. */
  subjectId: string;
}

interface RolePut extends Subject {
  values: readonly Scalar[];
  after: object;
}

async function put(sql: Sql, table: RoleTable, role: RolePut): Promise<void> {
  const { guildNo, change, id, subjectId, values, after } = role;
  const audit = await openAudit(sql, { guildNo, change, subjectKind: 'role' });
  const before = await sql.first(table.find, [guildNo, id]);
  if (before === undefined) {
    assertRoom((await sql.first(table.count, [guildNo]))?.count ?? 0, table.max, table.subjects);
  }
  await sql.run(table.put, [guildNo, id, ...values]);
  audit.add({ subjectId, before, after });
  await audit.write();
}

async function remove(sql: Sql, table: RoleTable, subject: Subject): Promise<boolean> {
  const { guildNo, change, id, subjectId } = subject;
  const audit = await openAudit(sql, { guildNo, change, subjectKind: 'role' });
  const before = await sql.first(table.find, [guildNo, id]);
  if (before === undefined) {
    return false;
  }
  await sql.run(table.remove, [guildNo, id]);
  audit.add({ subjectId, before, after: undefined });
  await audit.write();
  return true;
}
