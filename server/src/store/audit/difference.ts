import type { AuditEntry } from '../../domain/model.ts';

/** The fields in which two versions of a record differ; undefined when they are equal. */
export function difference(before: object = {}, after: object = {}): AuditEntry['detail'] | undefined {
  const old: Record<string, unknown> = { ...before };
  const present: Record<string, unknown> = { ...after };
  for (const name of Object.keys(old)) {
    if (name in present && JSON.stringify(old[name]) === JSON.stringify(present[name])) {
      delete old[name];
      delete present[name];
    }
  }
  const hasOld = Object.keys(old).length > 0;
  const hasPresent = Object.keys(present).length > 0;
  if (!hasOld && !hasPresent) {
    return undefined;
  }
  return { ...(hasOld && { before: old }), ...(hasPresent && { after: present }) };
}
