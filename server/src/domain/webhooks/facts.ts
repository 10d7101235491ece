import { isoText } from '../iso-text.ts';
import type { ApiKey, AuditEntry, Discharge, Transfer } from '../model.ts';

const DISCHARGE_FIELDS = [
  'id',
  'guildId',
  'chatId',
  'playerId',
  'name',
  'reason',
  'date',
  'type',
  'from',
  'signed',
] as const satisfies readonly (keyof Discharge)[];
const TRANSFER_FIELDS = [
  'id',
  'guildId',
  'playerId',
  'name',
  'date',
  'from',
  'to',
  'signed',
] as const satisfies readonly (keyof Transfer)[];

/**
 * A record as the interface shows it. The log has all fields of a created or deleted record; of a changed one it has
 * the difference, and the other fields are the present ones. When fields are unknown, only the id is returned.
 */
export function recordFacts(
  { subjectKind, subjectId, action, detail }: AuditEntry,
  guildId: string,
  present: object | undefined,
): Record<string, unknown> {
  const known: Record<string, unknown> = {
    ...present,
    ...(action === 'delete' ? detail.before : detail.after),
    id: subjectId,
    guildId,
  };
  const fields = subjectKind === 'discharge' ? DISCHARGE_FIELDS : TRANSFER_FIELDS;
  return fields.every((field) => field in known)
    ? Object.fromEntries(fields.map((field) => [field, known[field]]))
    : { id: subjectId, truncated: true };
}

/**
 * A key without its value. Older log entries have fewer fields of a deleted key; then only its id is returned.
 */
export function keyFacts(key: Partial<ApiKey> & { id?: string }): Record<string, unknown> {
  const { id, keyId, name, prefix, scopes, expiresAtMs } = key;
  if (scopes === undefined || expiresAtMs === undefined) {
    return { id: id ?? keyId, truncated: true };
  }
  return { id: id ?? keyId, name, prefix, scopes, expiresAt: isoText(expiresAtMs) };
}
