import { type StartService, shareService, startFilledService } from './filled-service.ts';
import { describeRecordsByKey } from './key-api-suite-records.ts';
import { describeKeyRestrictions } from './key-api-suite-restrictions.ts';
import { describeKeyValues } from './key-api-suite-values.ts';

/** The routes with which a key manages itself and its guild's records, on any store. */
export function describeKeyApi(start: StartService = startFilledService): void {
  const shared = shareService(start);
  describeKeyValues(shared);
  describeKeyRestrictions(shared);
  describeRecordsByKey(shared);
}
