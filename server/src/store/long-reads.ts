import { LEDGER_VIEW_READS } from './ledger/ledger-views.ts';

/** Every read of many rows that an engine runs by its name. */
export const LONG_READS = {
  ...LEDGER_VIEW_READS,
};
