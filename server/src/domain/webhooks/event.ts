import { hash } from 'node:crypto';
import { isoText } from '../iso-text.ts';
import { decimalText } from '../ledger/amount.ts';
import type { LedgerEntry } from '../ledger/entries.ts';
import { entryText, quoted } from '../ledger/entry-text.ts';
import type { GuildRef } from '../model.ts';
import type { EventType } from './event-types.ts';

/** The largest size of a body. */
export const BODY_BYTES_MAX = 20_000;

/** Tests and notices about endpoints are delivered without being selected. */
export type DeliveredType = EventType | 'webhook.test' | 'webhook.disabled';

/** The data of an event, by the kind of its subject. */
export type Subject =
  | { kind: 'transaction'; entry: LedgerEntry }
  | { kind: 'payment'; paymentId: string; from: LedgerEntry; to: LedgerEntry }
  | { kind: 'balance'; entry: LedgerEntry; belowUnits: number }
  | { kind: 'facts'; facts: Readonly<Record<string, unknown>>; playerIds: readonly string[] };

export interface WebhookEvent {
  /** The same for every delivery of an event, and unique among events. */
  id: string;
  type: DeliveredType;
  atMs: number;
  subject: Subject;
}

/** Events that happen at a time. Each is sent once: its mark is kept while it belongs to `marks`. */
export interface TimedEvents {
  due: { event: WebhookEvent; mark: string }[];
  /** The marks to keep when all of them are sent. */
  marks: string[];
}

/** The origin of an event: a letter for the log and the kind of event, and its number or id there. */
export interface EventOrigin {
  log: 't' | 'r' | 'p' | 'b' | 'a' | 'v' | 'k' | 'x' | 'w' | 's';
  ref: string | number;
}

/** The id contains a hash of the guild's id, so that it is unique for receivers that serve several guilds. */
export function eventIdOf({ guildId }: GuildRef, { log, ref }: EventOrigin): string {
  return `evt_${guildMark(guildId)}_${log}${ref}`;
}

/** Undefined for a text that is no event id of this guild. */
export function readEventId({ guildId }: GuildRef, id: string): EventOrigin | undefined {
  const [, mark, log, ref = ''] = /^evt_([0-9a-f]{12})_([trpbav])(\d{1,16})$/.exec(id) ?? [];
  // The pattern allows exactly these letters.
  return mark === guildMark(guildId) ? { log: log as EventOrigin['log'], ref: Number(ref) } : undefined;
}

function guildMark(guildId: string): string {
  return hash('sha256', guildId, 'hex').slice(0, 12);
}

/** The body sent to an endpoint of the standard kind. Data that is too long is replaced by `shortText`. */
export function eventBody({ type, atMs, subject }: WebhookEvent): string {
  const whole = bodyText(type, atMs, dataText(subject));
  return Buffer.byteLength(whole) < BODY_BYTES_MAX ? whole : bodyText(type, atMs, shortText(subject));
}

function bodyText(type: string, atMs: number, data: string): string {
  return `{"type":"${type}","timestamp":"${isoText(atMs)}","data":${data}}`;
}

function dataText(subject: Subject): string {
  switch (subject.kind) {
    case 'transaction':
      return entryText(subject.entry);
    case 'payment':
      return `{"paymentId":"${subject.paymentId}","from":${entryText(subject.from)},"to":${entryText(subject.to)}}`;
    case 'balance': {
      const { entry, belowUnits } = subject;
      return (
        `{"playerId":${quoted(entry.playerId)},"balance":${decimalText(entry.balanceUnits)},` +
        `"balanceBelow":${decimalText(belowUnits)},"transaction":${entryText(entry)}}`
      );
    }
    case 'facts':
      return JSON.stringify(subject.facts);
  }
}

/** The ids with which the receiver can look up the data. */
function shortText(subject: Subject): string {
  switch (subject.kind) {
    case 'transaction':
      return `{"transactionId":"${subject.entry.transactionId}","truncated":true}`;
    case 'payment':
      return `{"paymentId":"${subject.paymentId}","truncated":true}`;
    case 'balance': {
      const { playerId, balanceUnits } = subject.entry;
      return `{"playerId":${quoted(playerId)},"balance":${decimalText(balanceUnits)},"truncated":true}`;
    }
    case 'facts': {
      const { id, chatId } = subject.facts;
      return JSON.stringify({ id, chatId, truncated: true });
    }
  }
}
