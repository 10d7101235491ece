import type { Endpoint } from '../endpoint.ts';
import { listCommands } from './commands.ts';
import { listTransactions, postTransaction } from './ledger.ts';
import { getDischarge, getTransfer } from './records.ts';
import { getVerification } from './users.ts';

/** The six endpoints of the interface, in its order. */
export const ENDPOINTS: readonly Endpoint[] = [
  getDischarge,
  getTransfer,
  getVerification,
  listCommands,
  postTransaction,
  listTransactions,
];
