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
import { openAudit } from './audit.ts';
import { prepare, type Runner, type Statement, type Value } from './statement.ts';
import type { Writer } from './write.ts';

const FIND_CHAT_ROLES = prepare<ChatRole>(
  `SELECT chat_role_id AS "chatRoleId", name, role FROM guild_chat_role WHERE guild_no = $1 ORDER BY name, chat_role_id`,
);
const FIND_PEOPLE = prepare<InvitedPerson>(
  `SELECT chat_id AS "chatId", role, invited_by AS "invitedBy", created_at AS "createdAtMs" FROM guild_person
   WHERE guild_no = $1 ORDER BY chat_id`,
);
const FIND_GRANTS = prepare<GrantRow>(
  `SELECT g.guild_id AS "guildId", c.chat_role_id AS "chatRoleId", c.role FROM guild g JOIN guild_chat_role c USING (guild_no)
   WHERE g.guild_id = ANY ($1::text[])
   UNION ALL SELECT g.guild_id, NULL, p.role FROM guild g JOIN guild_person p USING (guild_no)
   WHERE g.guild_id = ANY ($1::text[]) AND p.chat_id = $2`,
);
const CHAT_ROLES = {
  find: prepare<{ name: string; role: string }>(
    'SELECT name, role FROM guild_chat_role WHERE guild_no = $1 AND chat_role_id = $2',
  ),
  count: prepare<{ count: number }>('SELECT count(*) AS count FROM guild_chat_role WHERE guild_no = $1'),
  put: prepare(
    `INSERT INTO guild_chat_role (guild_no, chat_role_id, name, role) VALUES ($1, $2, $3, $4)
     ON CONFLICT (guild_no, chat_role_id) DO UPDATE SET name = excluded.name, role = excluded.role`,
  ),
  remove: prepare('DELETE FROM guild_chat_role WHERE guild_no = $1 AND chat_role_id = $2'),
};
const PEOPLE = {
  find: prepare<{ role: string }>('SELECT role FROM guild_person WHERE guild_no = $1 AND chat_id = $2'),
  count: prepare<{ count: number }>('SELECT count(*) AS count FROM guild_person WHERE guild_no = $1'),
  put: prepare(
    `INSERT INTO guild_person (guild_no, chat_id, role, invited_by, created_at) VALUES ($1, $2, $3, $4, $5)
     ON CONFLICT (guild_no, chat_id) DO UPDATE SET role = excluded.role`,
  ),
  remove: prepare('DELETE FROM guild_person WHERE guild_no = $1 AND chat_id = $2'),
};

interface Statements {
  find: Statement<object>;
  count: Statement<{ count: number }>;
  put: Statement<never>;
  remove: Statement<never>;
}

interface RolePut {
  guildNo: number;
  id: string;
  subjectId: string;
  change: Change;
  after: object;
  values: readonly Value[];
  max: number;
  what: string;
}

export function createRoleStore({ read, writer }: { read: Runner; writer: Writer }): RoleStore {
  const inGuild = <Result>(guildNo: number, work: (transaction: Runner) => Promise<Result>) =>
    writer.write(`guild ${guildNo}`, work);
  return {
    chatRoles: ({ guildNo }) => read.all(FIND_CHAT_ROLES, [guildNo]),
    people: ({ guildNo }) => read.all(FIND_PEOPLE, [guildNo]),
    grants: async (chatId, guildIds) => toGrants(await read.all(FIND_GRANTS, [guildIds, chatId])),
    setChatRole: ({ guildNo }, { chatRoleId, name, role }, change) =>
      inGuild(guildNo, (transaction) =>
        put(transaction, CHAT_ROLES, {
          guildNo,
          id: chatRoleId,
          subjectId: chatRoleSubject(chatRoleId),
          change,
          after: { name, role },
          values: [name, role],
          max: CHAT_ROLES_MAX,
          what: 'chat roles',
        }),
      ),
    deleteChatRole: ({ guildNo }, id, change) =>
      inGuild(guildNo, (transaction) =>
        remove(transaction, CHAT_ROLES, { guildNo, id, subjectId: chatRoleSubject(id), change }),
      ),
    setPerson: ({ guildNo }, { chatId, role }, change) =>
      inGuild(guildNo, (transaction) =>
        put(transaction, PEOPLE, {
          guildNo,
          id: chatId,
          subjectId: personSubject(chatId),
          change,
          after: { role },
          values: [role, `${change.actor.kind}:${change.actor.id}`, change.atMs],
          max: PEOPLE_MAX,
          what: 'people',
        }),
      ),
    deletePerson: ({ guildNo }, id, change) =>
      inGuild(guildNo, (transaction) =>
        remove(transaction, PEOPLE, { guildNo, id, subjectId: personSubject(id), change }),
      ),
  };
}

async function put(transaction: Runner, statements: Statements, input: RolePut): Promise<void> {
  const { guildNo, id, subjectId, change, after, values, max, what } = input;
  const audit = await openAudit(transaction, { guildNo, change, subjectKind: 'role' });
  const before = await transaction.first(statements.find, [guildNo, id]);
  if (before === undefined) {
    assertRoom((await transaction.first(statements.count, [guildNo]))?.count ?? 0, max, what);
  }
  await transaction.run(statements.put, [guildNo, id, ...values]);
  audit.add({ subjectId, before, after });
  await audit.write();
}

async function remove(
  transaction: Runner,
  statements: Statements,
  { guildNo, id, subjectId, change }: Pick<RolePut, 'guildNo' | 'id' | 'subjectId' | 'change'>,
): Promise<boolean> {
  const audit = await openAudit(transaction, { guildNo, change, subjectKind: 'role' });
  const before = await transaction.first(statements.find, [guildNo, id]);
  if (before === undefined) {
    return false;
  }
  await transaction.run(statements.remove, [guildNo, id]);
  audit.add({ subjectId, before, after: undefined });
  await audit.write();
  return true;
}
