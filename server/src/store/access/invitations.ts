import {
  type Acceptance,
  INVITATIONS_MAX,
  type Invitation,
  type InvitationStore,
  type NewInvitation,
} from '../../domain/access/invitation-store.ts';
import {
  assertRoom,
  hasRole,
  invitationSubject,
  PEOPLE_MAX,
  personSubject,
  type Role,
} from '../../domain/access/roles.ts';
import type { Change } from '../../domain/model.ts';
import { openAudit } from '../audit/audit-writer.ts';
import { type Engine, inGuildLane } from '../jobs.ts';
import { type Sql, statement } from '../sql.ts';

const COLUMNS = `invitation_id AS "invitationId", role, uses_left AS "usesLeft", created_by AS "createdBy",
  created_at AS "createdAtMs", expires_at AS "expiresAtMs"`;
const FIND_VALID = statement<Invitation>(
  `SELECT ${COLUMNS} FROM guild_invitation WHERE guild_no = $1 AND expires_at > $2
   ORDER BY created_at DESC, invitation_id DESC`,
);
const FIND = statement<Invitation>(
  `SELECT ${COLUMNS} FROM guild_invitation WHERE guild_no = $1 AND invitation_id = $2`,
);
const FIND_BY_TOKEN = statement<Invitation>(
  `SELECT ${COLUMNS} FROM guild_invitation WHERE guild_no = $1 AND token_hash = $2 AND expires_at > $3`,
);
const FORGET_EXPIRED = statement('DELETE FROM guild_invitation WHERE guild_no = $1 AND expires_at <= $2');
const COUNT = statement<{ count: number }>(
  'SELECT count(*) AS count FROM guild_invitation WHERE guild_no = $1',
);
const INSERT = statement(
  `INSERT INTO guild_invitation (guild_no, invitation_id, token_hash, role, uses_left, created_by, created_at, expires_at)
   VALUES ($1, $2, $3, $4, $5, $6, $7, $8)`,
);
const REMOVE = statement('DELETE FROM guild_invitation WHERE guild_no = $1 AND invitation_id = $2');
const USE = statement(
  'UPDATE guild_invitation SET uses_left = uses_left - 1 WHERE guild_no = $1 AND invitation_id = $2',
);
const FIND_PERSON = statement<{ role: Role }>(
  'SELECT role FROM guild_person WHERE guild_no = $1 AND chat_id = $2',
);
const COUNT_PEOPLE = statement<{ count: number }>(
  'SELECT count(*) AS count FROM guild_person WHERE guild_no = $1',
);
const PUT_PERSON = statement(
  `INSERT INTO guild_person (guild_no, chat_id, role, invited_by, created_at) VALUES ($1, $2, $3, $4, $5)
   ON CONFLICT (guild_no, chat_id) DO UPDATE SET role = excluded.role, invited_by = excluded.invited_by`,
);

interface Changed {
  guildNo: number;
  change: Change;
}

// The guild's audit log, which each of these locks first, makes them run one at a time.
export const INVITATION_WRITES = {
  insertInvitation: inGuildLane(insertInvitation),
  deleteInvitation: inGuildLane(deleteInvitation),
  acceptInvitation: inGuildLane(acceptInvitation),
};

export function createInvitationStore({ read, write }: Engine<typeof INVITATION_WRITES>): InvitationStore {
  return {
    list: async ({ guildNo }, nowMs) => read.all(FIND_VALID, [guildNo, nowMs]),
    insert: ({ guildNo }, invitation, change) => write('insertInvitation', { guildNo, invitation, change }),
    delete: ({ guildNo }, invitationId, change) =>
      write('deleteInvitation', { guildNo, invitationId, change }),
    accept: ({ guildNo }, acceptance, change) => write('acceptInvitation', { guildNo, acceptance, change }),
  };
}

async function insertInvitation(
  sql: Sql,
  { guildNo, invitation, change }: Changed & { invitation: NewInvitation },
): Promise<void> {
  const { invitationId, tokenHash, role, usesLeft, createdBy, createdAtMs, expiresAtMs } = invitation;
  const audit = await openAudit(sql, { guildNo, change, subjectKind: 'role' });
  await sql.run(FORGET_EXPIRED, [guildNo, change.atMs]);
  assertRoom((await sql.first(COUNT, [guildNo]))?.count ?? 0, INVITATIONS_MAX, 'invitations');
  await sql.run(INSERT, [
    guildNo,
    invitationId,
    tokenHash,
    role,
    usesLeft,
    createdBy,
    createdAtMs,
    expiresAtMs,
  ]);
  const after = { role, usesLeft, expiresAtMs };
  audit.add({ subjectId: invitationSubject(invitationId), before: undefined, after });
  await audit.write();
}

async function deleteInvitation(
  sql: Sql,
  { guildNo, invitationId, change }: Changed & { invitationId: string },
): Promise<boolean> {
  const audit = await openAudit(sql, { guildNo, change, subjectKind: 'role' });
  const found = await sql.first(FIND, [guildNo, invitationId]);
  if (found === undefined) {
    return false;
  }
  await sql.run(REMOVE, [guildNo, invitationId]);
  const { role, usesLeft, expiresAtMs } = found;
  const before = { role, usesLeft, expiresAtMs };
  audit.add({ subjectId: invitationSubject(invitationId), before, after: undefined });
  await audit.write();
  return true;
}

async function acceptInvitation(
  sql: Sql,
  { guildNo, acceptance, change }: Changed & { acceptance: Acceptance },
): Promise<Role | undefined> {
  const { tokenHash, chatId } = acceptance;
  const audit = await openAudit(sql, { guildNo, change, subjectKind: 'role' });
  const invitation = await sql.first(FIND_BY_TOKEN, [guildNo, tokenHash, change.atMs]);
  if (invitation === undefined) {
    return undefined;
  }
  const { invitationId, role, usesLeft, createdBy } = invitation;
  const before = await sql.first(FIND_PERSON, [guildNo, chatId]);
  if (before !== undefined && hasRole(before.role, role)) {
    return before.role;
  }
  if (before === undefined) {
    assertRoom((await sql.first(COUNT_PEOPLE, [guildNo]))?.count ?? 0, PEOPLE_MAX, 'people');
  }
  await sql.run(PUT_PERSON, [guildNo, chatId, role, createdBy, change.atMs]);
  await sql.run(usesLeft > 1 ? USE : REMOVE, [guildNo, invitationId]);
  audit.add({ subjectId: personSubject(chatId), before, after: { role, invitation: invitationId } });
  await audit.write();
  return role;
}
