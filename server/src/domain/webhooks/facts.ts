import { isoText } from '../iso-text.ts';
import { ADDED_FIELDS, type ApiKey, type AuditEntry, INTERFACE_FIELDS } from '../model.ts';

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
  const kind = subjectKind === 'discharge' ? 'discharge' : 'transfer';
  const fields: readonly string[] = INTERFACE_FIELDS[kind];
  const added: readonly string[] = ADDED_FIELDS[kind];
  return fields.every((field) => field in known)
    ? Object.fromEntries(
        [...fields, ...added.filter((field) => field in known)].map((field) => [field, known[field]]),
      )
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
