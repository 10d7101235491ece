import { type StartService, startFilledService } from './filled-service.ts';
import { shareLedgerApi } from './ledger-api-service.ts';
import { describeLedgerAccess } from './ledger-api-suite-access.ts';
import { describeAccounts } from './ledger-api-suite-accounts.ts';
import { describeArchivedLedger } from './ledger-api-suite-archive.ts';
import { describeBatchKeys } from './ledger-api-suite-batch-keys.ts';
import { describeBatches } from './ledger-api-suite-batches.ts';
import { describePayments } from './ledger-api-suite-payments.ts';
import { describeReversals } from './ledger-api-suite-reversals.ts';
import { describeTransactions } from './ledger-api-suite-transactions.ts';
import { describeSealApi } from './seal-suite.ts';

/** The routes of the ledger beyond the six of the interface, on any store. */
export function describeLedgerApi(start: StartService = startFilledService): void {
  const api = shareLedgerApi(start);
  describeLedgerAccess(api);
  describeAccounts(api);
  describeTransactions(api);
  describeBatches(api);
  describeBatchKeys(api);
  describeReversals(api);
  describePayments(api);
  describeArchivedLedger(api);
  describeSealApi(api);
}
