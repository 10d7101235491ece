import { hasRole, type Role } from './access/roles.ts';
import type { AuditEntry, SubjectKind } from './model.ts';

interface AuditKind {
  /** The least role that sees entries of the kind. For others they do not exist: neither in lists nor as actors. */
  role: Role;
  /** Fields of the details that hold an address. Everybody sees its host only: the rest of it may be a secret. */
  addresses?: readonly string[];
}

/**
 * Who sees which entries of the audit log. An entry shows everything about its subject, so a kind has the role that reads
 * the subject's own page.
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

// The keys of an object that is written out above are exactly the kinds.
const KINDS = Object.keys(AUDIT_KINDS) as SubjectKind[];

/** The role that entries of a kind need. */
export function roleForKind(kind: SubjectKind): Role {
  return AUDIT_KINDS[kind].role;
}

/** The kinds whose entries a role sees. */
export function kindsFor(role: Role): SubjectKind[] {
  return KINDS.filter((kind) => hasRole(role, roleForKind(kind)));
}

/** Whether a role sees every entry. */
export function seesAllKinds(role: Role): boolean {
  return kindsFor(role).length === KINDS.length;
}

/** An entry without the secrets that its details may hold, also when it was stored with them. */
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
