import type { Texts } from '../../texts/texts.ts';
import { textsOf } from '../../texts/texts-of.ts';
import type { EntryStore, LedgerEntry } from '../ledger/entries.ts';
import type { LedgerViewStore } from '../ledger/ledger-views.ts';
import type { ApiKey, AuditEntry, GuildRef, Transfer } from '../model.ts';
import type {
  AuditStore,
  DischargeStore,
  GuildStore,
  KeyStore,
  RecordStore,
  VerificationStore,
} from '../ports.ts';
import type { SealStore } from '../seal/seal-store.ts';
import { type PlayerNames, playersIn } from './discord.ts';
import { type EventOrigin, eventIdOf, type TimedEvents, type WebhookEvent } from './event.ts';
import type { EventType } from './event-types.ts';
import { keyFacts, recordFacts } from './facts.ts';
import { balanceBelowUnits, fellBelow, isWanted } from './matching.ts';
import { createSealedDay } from './sealed-day.ts';
import type { Webhook } from './webhook.ts';

const DAY_MS = 86_400_000;
/** Days before a key's expiry at which warnings are sent, in ascending order. */
const EXPIRY_WARNING_DAYS = [1, 3, 14] as const;

export interface EventSourceParts {
  guilds: Pick<GuildStore, 'find'>;
  entries: EntryStore;
  audit: Pick<AuditStore, 'after' | 'list'>;
  keys: Pick<KeyStore, 'list'>;
  discharges: DischargeStore;
  transfers: RecordStore<Transfer>;
  verifications: VerificationStore;
  views: Pick<LedgerViewStore, 'days'>;
  seals: Pick<SealStore, 'state'>;
}

/**
 * The events after a position in a log that an endpoint wants. `position` is the endpoint's position after delivering
 * the event.
 */
export interface EventBatch {
  events: { event: WebhookEvent; position: number }[];
  /** The endpoint's position after all of them are delivered. */
  position: number;
}

/** Derives events from stored data. Nothing is stored for an event until its delivery fails. */
export interface EventSource {
  fromFeed(webhook: Webhook, limit: number): Promise<EventBatch>;
  fromAudit(webhook: Webhook, limit: number): Promise<EventBatch>;
  fromPeople(webhook: Webhook, limit: number): Promise<EventBatch>;
  /**
   * Warnings about keys that expire soon which have not been sent yet, and the marks of all warnings that are due
   * now.
   */
  expiringKeys(webhook: Webhook, nowMs: number): Promise<TimedEvents>;
  /** The checkpoint with which the day before ended, unless it was sent or the ledger has not grown since the last one. */
  sealedDay(webhook: Webhook, nowMs: number): Promise<TimedEvents>;
  /** The verified names of the players that a chat message about these events shows. */
  playerNames(events: readonly WebhookEvent[]): Promise<PlayerNames>;
  /** The texts of the guild's language. */
  texts(guild: GuildRef): Promise<Texts>;
  /** The event of an id, whether or not it passes the endpoint's filters. */
  find(webhook: Webhook, origin: EventOrigin): Promise<WebhookEvent | undefined>;
}

export function createEventSource(parts: EventSourceParts): EventSource {
  const { entries, audit, keys } = parts;
  const ofEntry = createEntryEvents(entries);
  const ofAudit = createAuditEvents(parts);
  const ofPeople = createPeopleEvents(parts);

  async function collect<Item>(
    webhook: Webhook,
    items: readonly Item[],
    numberOf: (item: Item) => number,
    start: number,
    make: (item: Item) => Promise<WebhookEvent[]>,
  ): Promise<EventBatch> {
    const events: EventBatch['events'] = [];
    for (const item of items) {
      const made = await make(item);
      const wanted = made.filter((event) => isWanted(webhook, event));
      wanted.forEach((event, index) => {
        // Only the last event of an item moves the endpoint past the item.
        const isLast = index === wanted.length - 1;
        events.push({ event, position: isLast ? numberOf(item) : numberOf(item) - 1 });
      });
    }
    const last = items.at(-1);
    return { events, position: last === undefined ? start : numberOf(last) };
  }

  return {
    async fromFeed(webhook, limit) {
      const { guild, positions } = webhook;
      const found = await entries.feed(guild, { after: positions.feed, limit });
      return collect(
        webhook,
        found,
        ({ number }) => number,
        positions.feed,
        (entry) => ofEntry(webhook, entry),
      );
    },
    async fromAudit(webhook, limit) {
      const { guild, positions } = webhook;
      const found = await audit.after(guild, { afterEntryNo: positions.audit, limit });
      return collect(
        webhook,
        found,
        ({ entryNo }) => entryNo,
        positions.audit,
        (entry) => ofAudit(webhook, entry),
      );
    },
    async fromPeople(webhook, limit) {
      const { positions } = webhook;
      const found = await audit.after(undefined, { afterEntryNo: positions.people, limit });
      return collect(
        webhook,
        found,
        ({ entryNo }) => entryNo,
        positions.people,
        (entry) => ofPeople(webhook, entry),
      );
    },
    async expiringKeys(webhook, nowMs) {
      const soon = (await keys.list(webhook.guild)).flatMap((key) => {
        const mark = expiryMark(key, nowMs);
        return mark === undefined ? [] : [{ key, mark }];
      });
      const untold = soon.filter(({ mark }) => !webhook.announcedKeys.includes(mark));
      return {
        marks: soon.map(({ mark }) => mark),
        due: untold.map(({ key, mark }) => ({
          mark,
          event: {
            id: eventIdOf(webhook.guild, { log: 'k', ref: mark }),
            type: 'key.expiring',
            atMs: nowMs,
            subject: { kind: 'facts', facts: keyFacts(key), playerIds: [] },
          },
        })),
      };
    },
    sealedDay: createSealedDay(parts),
    async playerNames(events) {
      const people = await parts.verifications.findVerified('player', playersIn(events));
      return new Map(people.map(({ playerId, username }) => [playerId, username]));
    },
    async texts({ guildId }) {
      return textsOf({ language: (await parts.guilds.find(guildId))?.language });
    },
    async find(webhook, { log, ref }) {
      const { guild } = webhook;
      const before = Number(ref) - 1;
      const events = await (async () => {
        if (log === 'a' || log === 'v') {
          const of = log === 'a' ? guild : undefined;
          const [entry] = await audit.after(of, { afterEntryNo: before, limit: 1 });
          return entry === undefined ? [] : (log === 'a' ? ofAudit : ofPeople)(webhook, entry);
        }
        const [entry] = await entries.feed(guild, { after: before, limit: 1 });
        return entry === undefined ? [] : ofEntry(webhook, entry);
      })();
      return events.find(({ id }) => id === eventIdOf(guild, { log, ref }));
    },
  };
}

/** The id of the warning that is due for a key; undefined when its expiry is far off or has passed. */
function expiryMark({ keyId, expiresAtMs }: ApiKey, nowMs: number): string | undefined {
  const leftMs = expiresAtMs - nowMs;
  const days = leftMs <= 0 ? undefined : EXPIRY_WARNING_DAYS.find((most) => leftMs <= most * DAY_MS);
  if (days === undefined) {
    return undefined;
  }
  // The first warning keeps the id it had when it was the only one.
  return days === 14 ? keyId : `${keyId}-${days}`;
}

/** The events of a transaction: `transaction.posted`, and any other type that applies. */
function createEntryEvents(entries: EntryStore) {
  return async (webhook: Webhook, entry: LedgerEntry): Promise<WebhookEvent[]> => {
    const { guild } = webhook;
    if (webhook.kind === 'discord' && entry.postedBy.kind === 'import') {
      // Imported history is not sent to chat channels.
      return [];
    }
    const { number, createdAtMs: atMs } = entry;
    const idOf = (log: EventOrigin['log']) => eventIdOf(guild, { log, ref: number });
    const events: WebhookEvent[] = [
      { id: idOf('t'), type: 'transaction.posted', atMs, subject: { kind: 'transaction', entry } },
    ];
    if (entry.reverses !== undefined) {
      const original = await entries.find(guild, entry.reverses);
      if (original !== undefined) {
        const subject = { kind: 'transaction', entry: original } as const;
        events.push({ id: idOf('r'), type: 'transaction.reversed', atMs, subject });
      }
    } else if (entry.paymentId !== undefined && entry.amountUnits > 0) {
      // Sent once, with the receiving side, which has the higher number.
      const sides = await entries.findPayments(guild, [entry.paymentId]);
      const from = sides.find(({ amountUnits, reverses }) => amountUnits < 0 && reverses === undefined);
      if (from !== undefined) {
        const subject = { kind: 'payment', paymentId: entry.paymentId, from, to: entry } as const;
        events.push({ id: idOf('p'), type: 'payment.posted', atMs, subject });
      }
    }
    const belowUnits = balanceBelowUnits(webhook.filter);
    if (fellBelow(entry, belowUnits)) {
      const subject = { kind: 'balance', entry, belowUnits } as const;
      events.push({ id: idOf('b'), type: 'balance.below', atMs, subject });
    }
    return events;
  };
}

const ACTION_WORDS = { create: 'created', update: 'updated', delete: 'deleted' } as const;

/** The number of deletions that are searched for a record that was changed and then deleted. */
const DELETIONS_LOOKED_AT = 100;

function createAuditEvents(parts: EventSourceParts) {
  async function lastKnown(
    guild: GuildRef,
    { subjectKind, subjectId }: AuditEntry,
  ): Promise<object | undefined> {
    const page = { subjectKind, action: 'delete', limit: DELETIONS_LOOKED_AT } as const;
    const deletions = await parts.audit.list(guild, page);
    return deletions.find((deletion) => deletion.subjectId === subjectId)?.detail.before;
  }

  return async ({ guild, kind }: Webhook, entry: AuditEntry): Promise<WebhookEvent[]> => {
    const { subjectKind, subjectId, action, entryNo, createdAtMs: atMs, detail } = entry;
    const id = eventIdOf(guild, { log: 'a', ref: entryNo });
    const make = (
      type: WebhookEvent['type'],
      facts: Record<string, unknown>,
      playerIds: readonly string[] = [],
    ): WebhookEvent[] => [{ id, type, atMs, subject: { kind: 'facts', facts, playerIds } }];
    if (subjectKind === 'discharge' || subjectKind === 'transfer') {
      const store = subjectKind === 'discharge' ? parts.discharges : parts.transfers;
      const present =
        action === 'update'
          ? ((await store.find(guild, subjectId)) ?? (await lastKnown(guild, entry)))
          : undefined;
      const facts = recordFacts(entry, guild.guildId, present);
      const type: EventType = `${subjectKind}.${ACTION_WORDS[action]}`;
      return make(type, facts, typeof facts.playerId === 'string' ? [facts.playerId] : []);
    }
    if (subjectKind === 'key' && action !== 'update') {
      const facts = { id: subjectId, ...(action === 'create' ? detail.after : detail.before) };
      return make(action === 'create' ? 'key.created' : 'key.deleted', keyFacts(facts));
    }
    if (subjectKind === 'key' && detail.after?.refused !== undefined) {
      return make('key.refused', { id: subjectId, ...detail.after });
    }
    if (kind === 'discord' && subjectKind === 'webhook' && detail.after?.status === 'disabled') {
      return make('webhook.disabled', { id: subjectId, ...detail.after });
    }
    return [];
  };
}

/** A verification is sent to the guilds that know one of the players by an account or by a record. */
function createPeopleEvents(parts: EventSourceParts) {
  async function isKnown(guild: GuildRef, playerIds: readonly string[]): Promise<boolean> {
    const accounts = await parts.entries.accounts(guild, playerIds);
    if (accounts.some(({ transactionCount }) => transactionCount > 0)) {
      return true;
    }
    const counts = await Promise.all([
      parts.discharges.countByPlayer(guild, playerIds),
      parts.transfers.countByPlayer(guild, playerIds),
    ]);
    return counts.flat().some((count) => count > 0);
  }

  return async ({ guild }: Webhook, entry: AuditEntry): Promise<WebhookEvent[]> => {
    if (entry.subjectKind !== 'verification') {
      return [];
    }
    const { subjectId: chatId, entryNo, createdAtMs: atMs, detail } = entry;
    const person = await parts.verifications.find(['chat'], chatId);
    const found = [detail.before?.playerId, detail.after?.playerId, person?.playerId];
    const playerIds = [...new Set(found.filter((playerId) => typeof playerId === 'string'))];
    if (playerIds.length === 0 || !(await isKnown(guild, playerIds))) {
      return [];
    }
    const { playerId = null, username = null, pastUsers = [] } = person ?? {};
    const facts = { chatId, playerId, username, pastUsers };
    const id = eventIdOf(guild, { log: 'v', ref: entryNo });
    return [{ id, type: 'verification.changed', atMs, subject: { kind: 'facts', facts, playerIds } }];
  };
}
