import type { Scope } from '../model.ts';

/** The logs that an endpoint has to follow for its events. */
export interface Streams {
  /** The guild's transactions. */
  feed: boolean;
  /** The guild's audit log. */
  audit: boolean;
  /** The audit log that belongs to no guild, which has the verifications. */
  people: boolean;
}

/** An event that an endpoint can select. Names, scopes and followed logs are derived from it. */
interface EventDeclaration {
  /** The scope that reads the data of the event over the interface. A key needs it to receive the event. */
  readonly scope: Scope | undefined;
  /** The log that the event is derived from; undefined for an event that happens at a time, such as an expiry. */
  readonly stream: keyof Streams | undefined;
}

const money = { scope: 'guild:read', stream: 'feed' } as const;
const record = { scope: 'guild:read', stream: 'audit' } as const;
const key = { scope: undefined, stream: 'audit' } as const;

const EVENTS = {
  'transaction.posted': money,
  'transaction.reversed': money,
  'payment.posted': money,
  'balance.below': money,
  'discharge.created': record,
  'discharge.updated': record,
  'discharge.deleted': record,
  'transfer.created': record,
  'transfer.updated': record,
  'transfer.deleted': record,
  'verification.changed': { scope: 'users:read', stream: 'people' },
  'key.created': key,
  'key.deleted': key,
  'key.expiring': key,
  'key.refused': key,
  'ledger.sealed': { scope: 'guild:read', stream: undefined },
  'summary.weekly': { scope: 'guild:read', stream: undefined },
} as const satisfies Record<string, EventDeclaration>;

export type EventType = keyof typeof EVENTS;

const DECLARED: Readonly<Record<EventType, EventDeclaration>> = EVENTS;

/** The types of events that an endpoint can select. The constant has no keys other than those of its type. */
export const EVENT_TYPES = Object.keys(EVENTS) as readonly EventType[];

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

/** True when a list has events that happen at a time, which no entry of a log announces. */
export function hasTimed(events: readonly EventName[]): boolean {
  return selects(events, 'key.expiring') || selects(events, 'ledger.sealed');
}

/** The scopes that a key needs for these events. */
export function scopesOf(events: readonly EventName[]): Scope[] {
  const scopes = EVENT_TYPES.filter((type) => selects(events, type)).map((type) => DECLARED[type].scope);
  return [...new Set(scopes.filter((scope) => scope !== undefined))];
}

/** A chat channel is also notified of disabled endpoints, which are in the audit log. */
export function streamsOf(events: readonly EventName[], kind: 'standard' | 'discord'): Streams {
  const follows = (stream: keyof Streams) =>
    EVENT_TYPES.some((type) => DECLARED[type].stream === stream && selects(events, type));
  return { feed: follows('feed'), audit: kind === 'discord' || follows('audit'), people: follows('people') };
}
