import type { RecordDialect } from '../record-listing-sql.ts';

export const RECORD_DIALECT: RecordDialect = {
  placeholder: () => '?',
  // Named outright, because without statistics the planner may prefer sorting by hand.
  indexHint: (index) => `INDEXED BY ${index}`,
  contains: (column, text) => `instr(${column}, ${text}) > 0`,
};
