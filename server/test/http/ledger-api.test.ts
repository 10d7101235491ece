import { describeLedgerApi } from './ledger-api-suite.ts';

describeLedgerApi();
