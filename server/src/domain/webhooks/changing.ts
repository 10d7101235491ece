import { DomainError } from '../errors.ts';
import { unitsFromNumber } from '../ledger/amount.ts';
import type { Scope } from '../model.ts';
import { type EventName, scopesOf, selects, streamsOf } from './event-types.ts';
import { ROTATION_OVERLAP_MS } from './signature.ts';
import { nextSummaryAt } from './summary-time.ts';
import type { Webhook, WebhookChange, WebhookFilter, WebhookKind, WebhookUpdate } from './webhook.ts';

const NOTHING = { feed: false, audit: false, people: false };
const EVERYTHING = { feed: true, audit: true, people: true };

/**
 * Refuses a key without the scopes that these events need over the interface: otherwise it could read them through a
 * webhook.
 */
export function assertReadable(events: readonly EventName[], scopes: readonly Scope[] | undefined): void {
  const missing = scopes && scopesOf(events).find((scope) => !scopes.includes(scope));
  if (missing !== undefined) {
    throw new DomainError('missing_scope', { detail: missing });
  }
}

/**
 * Decides the changes of an update, except for the address. A disabled endpoint that becomes active starts with new
 * events.
 */
export function decideUpdate(present: Webhook, input: WebhookUpdate, nowMs: number): WebhookChange {
  const { kind } = present;
  const { events = present.events, filter = present.filter, status } = input;
  if (input.kind !== undefined && input.kind !== kind) {
    throw new DomainError('invalid_input', { detail: 'the kind of an endpoint cannot be changed' });
  }
  assertEvents(kind, events, filter);
  const streams = streamsOf(events, kind);
  const before = streamsOf(present.events, kind);
  const isRevived = status === 'active' && present.status === 'disabled';
  const newStreams = {
    feed: streams.feed && !before.feed,
    audit: streams.audit && !before.audit,
    people: streams.people && !before.people,
  };
  return {
    name: input.name,
    events,
    filter,
    status,
    streams,
    fromNow: isRevived ? EVERYTHING : newStreams,
    summaryAtMs: selects(events, 'summary.weekly') ? nextSummaryAt(nowMs) : null,
  };
}

/** The sealed secrets of a rotation. The old one is null when it can no longer be opened. */
export interface RotatedSecrets {
  sealedSecret: string;
  sealedOldSecret: string | null;
}

/** The present secret becomes the old one. For a day deliveries are signed with both. */
export function decideRotation(present: Webhook, secrets: RotatedSecrets, nowMs: number): WebhookChange {
  if (present.kind === 'discord') {
    throw new DomainError('invalid_input', { detail: 'a chat channel has no secret to rotate' });
  }
  return {
    ...secrets,
    oldSecretUntilMs: secrets.sealedOldSecret === null ? null : nowMs + ROTATION_OVERLAP_MS,
    streams: streamsOf(present.events, present.kind),
    fromNow: NOTHING,
  };
}

export function assertEvents(kind: WebhookKind, events: readonly EventName[], filter: WebhookFilter): void {
  if (kind === 'standard' && selects(events, 'summary.weekly')) {
    throw new DomainError('invalid_input', { detail: 'summary.weekly is for endpoints of the kind discord' });
  }
  if (filter.balanceBelow !== undefined && !selects(events, 'balance.below')) {
    throw new DomainError('invalid_input', {
      detail: 'filter.balanceBelow belongs to the event balance.below',
    });
  }
  unitsFromNumber('filter.minTotal', filter.minTotal ?? 0);
  unitsFromNumber('filter.balanceBelow', filter.balanceBelow ?? 0);
}
