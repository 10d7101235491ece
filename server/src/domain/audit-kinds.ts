import { hasRole, type Role } from './access/roles.ts';
import type { AuditEntry, SubjectKind } from './model.ts';

interface AuditKind {
  /** The lowest role that sees entries of the kind. Other readers see neither the entries nor their actors. */
  role: Role;
  /** Fields of `detail` that hold an address. Everybody sees only its host: the rest may be a secret. */
  addresses?: readonly string[];
}

/**
 * The role that each kind of audit entry needs. An entry shows everything about its subject, so the kind needs the
 * role that reads the subject's own page.
 */
const AUDIT_KINDS = {
  guild: { role: 'viewer' },
  discharge: { role: 'viewer' },
  transfer: { role: 'viewer' },
  transaction: { role: 'viewer' },
  account: { role: 'viewer' },
  verification: { role: 'viewer' },
  commands: { role: 'viewer' },
  key: { role: 'manager' },
  webhook: { role: 'manager', addresses: ['url'] },
  role: { role: 'manager' },
} as const satisfies Record<SubjectKind, AuditKind>;

// The object above is a literal, so its keys are exactly the kinds.
const KINDS = Object.keys(AUDIT_KINDS) as SubjectKind[];

/** The lowest role that sees entries of a kind. */
export function roleForKind(kind: SubjectKind): Role {
  return AUDIT_KINDS[kind].role;
}

/** The kinds whose entries a role sees. */
export function kindsFor(role: Role): SubjectKind[] {
  return KINDS.filter((kind) => hasRole(role, roleForKind(kind)));
}

/** True when a role sees every entry. */
export function seesAllKinds(role: Role): boolean {
  return kindsFor(role).length === KINDS.length;
}

/** An entry with the secrets in its details masked, also when it was stored with them. */
export function withoutSecrets<Entry extends Pick<AuditEntry, 'subjectKind' | 'detail'>>(
  entry: Entry,
): Entry {
  const { addresses = [] }: AuditKind = AUDIT_KINDS[entry.subjectKind];
  if (addresses.length === 0) {
    return entry;
  }
  const mask = (fields: Record<string, unknown>) =>
    Object.fromEntries(
      Object.entries(fields).map(([name, value]) => [
        name,
        addresses.includes(name) ? maskAddress(value) : value,
      ]),
    );
  const { before, after } = entry.detail;
  const detail = { ...(before && { before: mask(before) }), ...(after && { after: mask(after) }) };
  return { ...entry, detail };
}

/** Scheme, host and port. A token may be in any part of the path or query. */
function maskAddress(value: unknown): string {
  const url = typeof value === 'string' ? URL.parse(value) : null;
  if (url === null || url.host === '') {
    return '***';
  }
  const isBare = url.pathname === '/' && url.search === '' && url.hash === '';
  return `${url.protocol}//${url.host}/${isBare ? '' : '***'}`;
}
