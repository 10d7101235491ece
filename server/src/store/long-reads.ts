import { LEDGER_VIEW_READS } from './ledger/ledger-views.ts';
import { MEMBER_READS } from './people/members.ts';
import { RECORD_READS } from './records/records.ts';

/** Every read of many rows that an engine runs by its name. */
export const LONG_READS = {
  ...LEDGER_VIEW_READS,
  ...MEMBER_READS,
  ...RECORD_READS,
};
