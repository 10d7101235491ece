import { AUDIT_READS } from './audit/audit-log.ts';
import { ENTRY_READS } from './ledger/entries.ts';
import { LEDGER_VIEW_READS } from './ledger/ledger-views.ts';
import { MEMBER_READS } from './people/members.ts';
import { RECORD_READS } from './records/records.ts';
import { SEAL_READS } from './seal/growth.ts';

/** Every read of many rows that an engine runs by its name. */
export const LONG_READS = {
  ...AUDIT_READS,
  ...ENTRY_READS,
  ...LEDGER_VIEW_READS,
  ...MEMBER_READS,
  ...RECORD_READS,
  ...SEAL_READS,
};
