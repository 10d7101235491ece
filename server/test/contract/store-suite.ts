import { describe } from 'vitest';
import type { CreatePlace } from './store-place.ts';
import { describeCommandStore } from './store-suite-commands.ts';
import { describeGuildStore } from './store-suite-guilds.ts';
import { describeIdempotency } from './store-suite-idempotency.ts';
import { describeKeyStore } from './store-suite-keys.ts';
import { describeLedgerAppend } from './store-suite-ledger.ts';
import { describeLedgerListing } from './store-suite-listing.ts';
import { describeListingProperties } from './store-suite-listing-properties.ts';
import { describePostingProperties } from './store-suite-posting-properties.ts';
import { describeRecordStore } from './store-suite-records.ts';
import { describeSharing } from './store-suite-sharing.ts';
import { describeVerificationStore } from './store-suite-verifications.ts';

/** The duties of the `Store` port. Every adapter is run through all of them. */
export function describeStore(name: string, createPlace: CreatePlace): void {
  describe(`the ${name} store`, () => {
    describeGuildStore(createPlace);
    describeKeyStore(createPlace);
    describeRecordStore(createPlace);
    describeVerificationStore(createPlace);
    describeCommandStore(createPlace);
    describeLedgerAppend(createPlace);
    describeIdempotency(createPlace);
    describeLedgerListing(createPlace);
    describeSharing(createPlace);
  });
}

/** The same port under thousands of random calls, compared with a plain model. */
export function describeStoreProperties(name: string, createPlace: CreatePlace): void {
  describe(`the ${name} store`, () => {
    describeListingProperties(createPlace);
    describePostingProperties(createPlace);
  });
}
