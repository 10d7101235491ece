import { describe } from 'vitest';
import type { CreatePlace } from './store-place.ts';
import { describeAllOrNothing } from './store-suite-all-or-nothing.ts';
import { describeArchive } from './store-suite-archive.ts';
import { describeAuditStore } from './store-suite-audit.ts';
import { describeAuditFilters } from './store-suite-audit-filters.ts';
import { describeBalanceProperties } from './store-suite-balance-properties.ts';
import { describeBatchKeys } from './store-suite-batches.ts';
import { describeCommandStore } from './store-suite-commands.ts';
import { describeDailySumsProperties } from './store-suite-daily-sums-properties.ts';
import { describeEntries } from './store-suite-entries.ts';
import { describeFigures } from './store-suite-figures.ts';
import { describeGroups } from './store-suite-groups.ts';
import { describeLargeGuildListing } from './store-suite-guild-listing.ts';
import { describeGuildStore } from './store-suite-guilds.ts';
import { describeHistoryProperties } from './store-suite-history-properties.ts';
import { describeHistorySources } from './store-suite-history-sources.ts';
import { describeIdempotency } from './store-suite-idempotency.ts';
import { describeImportSizes } from './store-suite-import-sizes.ts';
import { describeKeyChanges } from './store-suite-key-changes.ts';
import { describeKeyStore } from './store-suite-keys.ts';
import { describeLedgerAppend } from './store-suite-ledger.ts';
import { describeLedgerImport } from './store-suite-ledger-import.ts';
import { describeLedgerProperties } from './store-suite-ledger-properties.ts';
import { describeLedgerViews } from './store-suite-ledger-views.ts';
import { describeLedgerListing } from './store-suite-listing.ts';
import { describeListingProperties } from './store-suite-listing-properties.ts';
import { describeMemberStore } from './store-suite-members.ts';
import { describePostRules } from './store-suite-post-rules.ts';
import { describePostingProperties } from './store-suite-posting-properties.ts';
import { describePreferenceStore } from './store-suite-preferences.ts';
import { describeRecordPages } from './store-suite-record-pages.ts';
import { describeRecordProperties } from './store-suite-record-properties.ts';
import { describeRecordStore } from './store-suite-records.ts';
import { describeRemovals } from './store-suite-removals.ts';
import { describeRetention } from './store-suite-retention.ts';
import { describeRoleStore } from './store-suite-roles.ts';
import { describeSessionStore } from './store-suite-sessions.ts';
import { describeSharing } from './store-suite-sharing.ts';
import { describeStreams } from './store-suite-streams.ts';
import { describeTogetherProperties } from './store-suite-together-properties.ts';
import { describeVerificationStore } from './store-suite-verifications.ts';
import { describeVerifying } from './store-suite-verifying.ts';
import { describeViewRanges } from './store-suite-view-ranges.ts';
import { describeWebhookClaims } from './store-suite-webhook-claims.ts';
import { describeWebhookResults } from './store-suite-webhook-results.ts';
import { describeWebhookSecrets } from './store-suite-webhook-secrets.ts';
import { describeWebhookWaking } from './store-suite-webhook-waking.ts';
import { describeWebhookStore } from './store-suite-webhooks.ts';

/** The duties of the `Store` port. Every adapter is run through all of them. */
export function describeStore(name: string, createPlace: CreatePlace): void {
  describe(`the ${name} store`, () => {
    describeGuildStore(createPlace);
    describeKeyStore(createPlace);
    describeKeyChanges(createPlace);
    describeRecordStore(createPlace);
    describeRecordPages(createPlace);
    describeVerificationStore(createPlace);
    describeVerifying(createPlace);
    describeMemberStore(createPlace);
    describeCommandStore(createPlace);
    describeLedgerAppend(createPlace);
    describeIdempotency(createPlace);
    describeGroups(createPlace);
    describeBatchKeys(createPlace);
    describeEntries(createPlace);
    describeHistorySources(createPlace);
    describeLedgerListing(createPlace);
    describeLedgerImport(createPlace);
    describeImportSizes(createPlace);
    describeLedgerViews(createPlace);
    describeLargeGuildListing(createPlace);
    describeStreams(createPlace);
    describeAuditStore(createPlace);
    describeAuditFilters(createPlace);
    describeSessionStore(createPlace);
    describeWebhookClaims(createPlace);
    describeWebhookWaking(createPlace);
    describeWebhookStore(createPlace);
    describeWebhookResults(createPlace);
    describeWebhookSecrets(createPlace);
    describeFigures(createPlace);
    describeArchive(createPlace);
    describeRetention(createPlace);
    describeRemovals(createPlace);
    describeRoleStore(createPlace);
    describePreferenceStore(createPlace);
    describeAllOrNothing(createPlace);
    describeSharing(createPlace);
  });
}

/** The same port under thousands of random calls, compared with a plain model. */
export function describeStoreProperties(name: string, createPlace: CreatePlace): void {
  describe(`the ${name} store`, () => {
    describeListingProperties(createPlace);
    describeRecordProperties(createPlace);
    describePostRules(createPlace);
    describePostingProperties(createPlace);
    describeBalanceProperties(createPlace);
    describeLedgerProperties(createPlace);
    describeTogetherProperties(createPlace);
    describeHistoryProperties(createPlace);
    describeDailySumsProperties(createPlace);
    describeViewRanges(createPlace);
  });
}
