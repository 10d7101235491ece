import { hash } from 'node:crypto';
import { isoText } from '../iso-text.ts';
import { decimalText } from '../ledger/amount.ts';
import type { LedgerEntry } from '../ledger/entries.ts';
import { entryText, quoted } from '../ledger/entry-text.ts';
import type { GuildRef } from '../model.ts';
import type { EventType } from './event-types.ts';

/** Bodies stay below 20 kB. */
export const BODY_BYTES_MAX = 20_000;

/** What a test and a notice about endpoints are called; nobody has to ask for them. */
export type DeliveredType = EventType | 'webhook.test' | 'webhook.disabled';

/** What an event tells, by the kind of thing it is about. */
export type Subject =
  | { kind: 'transaction'; entry: LedgerEntry }
  | { kind: 'payment'; paymentId: string; from: LedgerEntry; to: LedgerEntry }
  | { kind: 'balance'; entry: LedgerEntry; belowUnits: number }
  | { kind: 'facts'; facts: Readonly<Record<string, unknown>>; playerIds: readonly string[] };

export interface WebhookEvent {
  /** The same at every delivery of the same event; no two events have one. */
  id: string;
  type: DeliveredType;
  atMs: number;
  subject: Subject;
}

/** Where an event comes from: a letter for the log and the kind of event, and its number or id there. */
export interface EventOrigin {
  log: 't' | 'r' | 'p' | 'b' | 'a' | 'v' | 'k' | 'x' | 'w';
  ref: string | number;
}

/** Receivers of several guilds tell events apart by their ids, so that each begins with the guild's. */
export function eventIdOf({ guildId }: GuildRef, { log, ref }: EventOrigin): string {
  return `evt_${guildMark(guildId)}_${log}${ref}`;
}

/** Undefined for what is no id of an event of this guild. */
export function readEventId({ guildId }: GuildRef, id: string): EventOrigin | undefined {
  const [, mark, log, ref = ''] = /^evt_([0-9a-f]{12})_([trpbav])(\d{1,16})$/.exec(id) ?? [];
  // The pattern lets these letters through and no others.
  return mark === guildMark(guildId) ? { log: log as EventOrigin['log'], ref: Number(ref) } : undefined;
}

function guildMark(guildId: string): string {
  return hash('sha256', guildId, 'hex').slice(0, 12);
}

/** What is sent to an endpoint of the standard kind. What is too long is named and left out. */
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

/** Enough to look the whole up by. */
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
