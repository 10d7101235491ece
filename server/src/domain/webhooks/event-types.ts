import type { Scope } from '../model.ts';

/** The types of events that an endpoint can select. */
export const EVENT_TYPES = [
  'transaction.posted',
  'transaction.reversed',
  'payment.posted',
  'balance.below',
  'discharge.created',
  'discharge.updated',
  'discharge.deleted',
  'transfer.created',
  'transfer.updated',
  'transfer.deleted',
  'verification.changed',
  'key.created',
  'key.deleted',
  'key.expiring',
  'summary.weekly',
] as const;
export type EventType = (typeof EVENT_TYPES)[number];

/** Names that select all events of a group. */
export const EVENT_GROUPS = ['transaction.*', 'discharge.*', 'transfer.*', 'key.*'] as const;

/** The names that an endpoint's list of events may contain. */
export type EventName = EventType | (typeof EVENT_GROUPS)[number];
export const EVENT_NAMES: readonly EventName[] = [...EVENT_TYPES, ...EVENT_GROUPS];

/** True when a list of names contains this type or its group. */
export function selects(events: readonly EventName[], type: EventType): boolean {
  const group = `${type.slice(0, type.indexOf('.'))}.*`;
  return events.some((name) => name === type || name === group);
}

/** The scope that reads the data of an event over the interface. A key needs it to receive the event. */
function scopeOf(type: EventType): Scope | undefined {
  if (type === 'verification.changed') {
    return 'users:read';
  }
  return type.startsWith('key.') ? undefined : 'guild:read';
}

/** The scopes that a key needs for these events. */
export function scopesOf(events: readonly EventName[]): Scope[] {
  const scopes = EVENT_TYPES.filter((type) => selects(events, type)).map(scopeOf);
  return [...new Set(scopes.filter((scope) => scope !== undefined))];
}

/** The logs that an endpoint has to follow for its events. */
export interface Streams {
  /** The guild's transactions. */
  feed: boolean;
  /** The guild's audit log. */
  audit: boolean;
  /** The audit log that belongs to no guild, which has the verifications. */
  people: boolean;
}

const FEED_TYPES: readonly EventType[] = [
  'transaction.posted',
  'transaction.reversed',
  'payment.posted',
  'balance.below',
];
const AUDIT_TYPES: readonly EventType[] = EVENT_TYPES.filter((type) =>
  /^(discharge|transfer|key)\./.test(type),
);

/** A chat channel is also notified of disabled endpoints, which are in the audit log. */
export function streamsOf(events: readonly EventName[], kind: 'standard' | 'discord'): Streams {
  return {
    feed: FEED_TYPES.some((type) => selects(events, type)),
    audit: kind === 'discord' || AUDIT_TYPES.some((type) => selects(events, type)),
    people: selects(events, 'verification.changed'),
  };
}
