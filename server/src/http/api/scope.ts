import type { PostBatch } from '../../domain/ledger/batches.ts';
import type { LedgerHistory } from '../../domain/ledger/history.ts';
import type { Ledger } from '../../domain/ledger/ledger.ts';
import type { Pay } from '../../domain/ledger/payments.ts';
import type { Reverse } from '../../domain/ledger/reversals.ts';
import type { Verifications } from '../../domain/people/verifications.ts';
import type { Store } from '../../domain/ports.ts';
import type { Commands } from '../../domain/records/commands.ts';
import type { Records } from '../../domain/records/records.ts';
import type { Webhooks } from '../../domain/webhooks/webhooks.ts';
import type { KeyAccessParts } from '../access/key.ts';
import type { AddEndpoint } from '../pipeline.ts';

export interface ApiParts extends KeyAccessParts {
  records: Records;
  verifications: Verifications;
  commands: Commands;
  ledger: Ledger;
  ledgerHistory: LedgerHistory;
  postBatch: PostBatch;
  reverse: Reverse;
  pay: Pay;
  webhooks: Webhooks;
  store: Pick<Store, 'revision'>;
  commandsRequireKey: boolean;
}

/** What each endpoint of the interface registers itself with. */
export interface ApiScope {
  add: AddEndpoint;
  parts: ApiParts;
}
