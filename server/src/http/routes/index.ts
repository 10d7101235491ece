import type { Endpoint } from '../endpoint.ts';
import {
  deleteDischarge,
  deleteTransfer,
  deleteVerification,
  postDischarge,
  postTransfer,
  putCommands,
  putDischarge,
  putGuild,
  putTransfer,
  putVerification,
  readCommands,
} from './bot-endpoints.ts';
import { importLines } from './bot-import.ts';
import { listCommands } from './commands.ts';
import { listTransactions, postTransaction } from './ledger.ts';
import { getDischarge, getTransfer } from './records.ts';
import { getVerification } from './users.ts';

/** The six endpoints of the interface in its order, then those of the operator's bot. */
export const ENDPOINTS: readonly Endpoint[] = [
  getDischarge,
  getTransfer,
  getVerification,
  listCommands,
  postTransaction,
  listTransactions,
  putGuild,
  putDischarge,
  postDischarge,
  deleteDischarge,
  putTransfer,
  postTransfer,
  deleteTransfer,
  putVerification,
  deleteVerification,
  readCommands,
  putCommands,
  importLines,
];
