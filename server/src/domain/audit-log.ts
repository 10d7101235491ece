import { parseActor } from './access/actors.ts';
import type { Guilds } from './access/guilds.ts';
import { hasRole, personOfSubject, type Role } from './access/roles.ts';
import { kindsFor, roleForKind, seesAllKinds, withoutSecrets } from './audit-kinds.ts';
import { DomainError } from './errors.ts';
import { type Days, rangeOfDays } from './ledger/time-range.ts';
import {
  type Actor,
  type AuditAction,
  type AuditEntry,
  type AuditFilter,
  type Discharge,
  type GuildRef,
  SERVICE_ACTOR,
  type SubjectKind,
  type TimeRange,
  type Transfer,
} from './model.ts';
import type { ChatNames } from './people/chat-names.ts';
import type { GuildNames } from './people/guild-names.ts';
import type { AuditStore, KeyStore, RecordStore } from './ports.ts';

/** The largest number of people that a filter offers. */
export const ACTORS_SHOWN_MAX = 100;
/** Entries that an export reads at once. More would delay other requests by milliseconds. */
const READ_AT_ONCE = 100;

export interface AuditFilters extends Days {
  /** An actor such as `user:4711`. */
  actor?: string | undefined;
  kind?: SubjectKind | undefined;
  /** The id of one subject of that kind. */
  subject?: string | undefined;
  action?: AuditAction | undefined;
}

export interface AuditRequest extends AuditFilters {
  limit: number;
  /** Entries older than the one of this number. */
  before?: number | undefined;
}

export type NamedEntry = Omit<AuditEntry, 'actor'> & { actor: NamedActor };

/** An entry with the present name of the person it is about; undefined when it is about nobody, or the person is no longer known. */
export type EntryWithPerson = NamedEntry & { person: string | undefined };

/** An actor with the name of its key, deleted or not, of its person if they have signed in before, or of the service. */
export interface NamedActor extends Actor {
  name: string | undefined;
}

/** The number of entries that one look at a log passes. */
const ENTRIES_PASSED_MAX = 100;

export interface AuditSubject {
  kind: SubjectKind;
  id: string;
}

export interface AuditPage {
  entries: EntryWithPerson[];
  /** The `before` of the next page; undefined at the end. */
  next: number | undefined;
  /** The actors of the entries that the reader may see, at most `ACTORS_SHOWN_MAX`. */
  actors: NamedActor[];
  /** The kinds of entries that the reader may see. */
  kinds: SubjectKind[];
}

/** The log to read, and the reader's role in the guild. `audit-kinds.ts` defines what a role sees. */
export interface AuditReading {
  guildId: string;
  role: Role;
}

/** The only way to read the log for people: it leaves out entries by role and masks secrets. */
export interface AuditLog {
  /** The newest entries of the guild's own log that match. Rejects with `role_required` for a kind that the role does not see. */
  page(reading: AuditReading, request: AuditRequest): Promise<AuditPage>;
  /** The newest entries about any of these subjects. Leaves out kinds that the role does not see. */
  about(
    reading: AuditReading,
    request: { subjects: readonly AuditSubject[]; limit: number },
  ): Promise<EntryWithPerson[]>;
  /** All matching entries, newest first. Rejects in the same way, before the first entry. */
  read(reading: AuditReading, filters: AuditFilters): Promise<AsyncIterable<NamedEntry>>;
  /** The number of the newest entry; 0 without any. */
  lastEntryNo(guild: GuildRef): Promise<number>;
  /** The number of an entry after the given one, or the given one when there is none. It says nothing about the entries. */
  entryNoAfter(guild: GuildRef, entryNo: number): Promise<number>;
}

export interface AuditLogParts {
  store: AuditStore;
  guilds: Guilds;
  keyStore: KeyStore;
  chatNames: ChatNames;
  discharges: Pick<RecordStore<Discharge>, 'findMany'>;
  transfers: Pick<RecordStore<Transfer>, 'findMany'>;
  names: GuildNames;
}

export function createAuditLog(parts: AuditLogParts): AuditLog {
  const { store, guilds } = parts;

  /** Without secrets, and with the names of actors and people. */
  async function named(
    guild: GuildRef,
    found: readonly AuditEntry[],
    moreActors: readonly Actor[] = [],
  ): Promise<{ entries: EntryWithPerson[]; actors: NamedActor[] }> {
    const entries = found.map(withoutSecrets);
    const [nameOf, personOf] = await Promise.all([
      nameActors(guild, [...moreActors, ...entries.map((entry) => entry.actor)], parts),
      namePeople(guild, entries, parts),
    ]);
    return {
      entries: entries.map((entry) => ({ ...entry, actor: nameOf(entry.actor), person: personOf(entry) })),
      actors: moreActors.map(nameOf),
    };
  }

  return {
    async page({ guildId, role }, { limit, before, ...request }) {
      const filter = filterOf(request, role);
      const guild = await guilds.find(guildId);
      // One more than asked for, to know whether there is a next page.
      const found = await store.list(guild, { ...filter, limit: limit + 1, beforeEntryNo: before });
      const subjectKinds = shownKinds(role);
      const actors = await store.actors(guild, { limit: ACTORS_SHOWN_MAX, subjectKinds });
      const page = await named(guild, found.slice(0, limit), actors);
      return {
        ...page,
        next: found.length > limit ? page.entries.at(-1)?.entryNo : undefined,
        kinds: kindsFor(role),
      };
    },
    async lastEntryNo(guild) {
      const [entry] = await store.list(guild, { limit: 1 });
      return entry?.entryNo ?? 0;
    },
    async entryNoAfter(guild, entryNo) {
      const entries = await store.after(guild, { afterEntryNo: entryNo, limit: ENTRIES_PASSED_MAX });
      return entries.at(-1)?.entryNo ?? entryNo;
    },
    async about({ guildId, role }, { subjects, limit }) {
      const guild = await guilds.find(guildId);
      const shown = subjects.filter(({ kind }) => hasRole(role, roleForKind(kind)));
      const pages = await Promise.all(
        shown.map(({ kind, id }) =>
          store.list(guild, { ...filterOf({ kind, subject: id }, role), limit, beforeEntryNo: undefined }),
        ),
      );
      const newest = pages.flat().toSorted((one, other) => other.entryNo - one.entryNo);
      return (await named(guild, newest.slice(0, limit))).entries;
    },
    async read({ guildId, role }, filters) {
      const filter = filterOf(filters, role);
      return readAll(await guilds.find(guildId), filter, parts);
    },
  };
}

/** The log only grows, so pages by entry number are the log as of the moment the reading began. */
async function* readAll(
  guild: GuildRef,
  filter: AuditFilter,
  parts: AuditLogParts,
): AsyncGenerator<NamedEntry> {
  let beforeEntryNo: number | undefined;
  for (;;) {
    const page = { ...filter, limit: READ_AT_ONCE, beforeEntryNo };
    const entries = await parts.store.listForExport(guild, page);
    const actors = entries.map(({ actor }) => actor);
    const named = await nameActors(guild, actors, parts);
    yield* entries.map((entry) => ({ ...withoutSecrets(entry), actor: named(entry.actor) }));
    beforeEntryNo = entries.at(-1)?.entryNo;
    if (entries.length < READ_AT_ONCE) {
      return;
    }
  }
}

function filterOf({ actor, kind, subject, action, since, until }: AuditFilters, role: Role): AuditFilter {
  if (kind !== undefined && !hasRole(role, roleForKind(kind))) {
    throw new DomainError('role_required', { detail: roleForKind(kind) });
  }
  if (subject !== undefined && kind === undefined) {
    throw new DomainError('invalid_input', { detail: 'subject needs a kind' });
  }
  return {
    actor: actor === undefined ? undefined : parseActor(actor),
    subjectKind: kind,
    subjectKinds: kind === undefined ? shownKinds(role) : undefined,
    subjectId: subject,
    action,
    range: rangeOf({ since, until }),
  };
}

/** The kinds that a reader is limited to; undefined when the role sees all of them. */
function shownKinds(role: Role): readonly SubjectKind[] | undefined {
  return seesAllKinds(role) ? undefined : kindsFor(role);
}

/** Two days in UTC, both included, or two moments, the second excluded. */
function rangeOf({ since, until }: Days): TimeRange {
  const isMoment = (end: string | undefined) => end?.includes('T') === true;
  const days = rangeOfDays({
    since: isMoment(since) ? undefined : since,
    until: isMoment(until) ? undefined : until,
  });
  const range = {
    sinceMs: since !== undefined && isMoment(since) ? Date.parse(since) : days.sinceMs,
    untilMs: until !== undefined && isMoment(until) ? Date.parse(until) : days.untilMs,
  };
  if (range.sinceMs >= range.untilMs) {
    throw new DomainError('invalid_input', { detail: 'since must not be after until' });
  }
  return range;
}

/** Looks up all names at once and returns a function that adds the name to an actor. */
async function nameActors(
  guild: GuildRef,
  actors: readonly Actor[],
  { keyStore, chatNames }: AuditLogParts,
): Promise<(actor: Actor) => NamedActor> {
  const idsOf = (wanted: Actor['kind']) => [
    ...new Set(actors.filter(({ kind }) => kind === wanted).map(({ id }) => id)),
  ];
  const [users, keys] = await Promise.all([
    chatNames.find(guild.guildId, idsOf('user')),
    keyStore.findNames(guild, idsOf('key')),
  ]);
  const names = new Map<string, string>([
    [`${SERVICE_ACTOR.kind}:${SERVICE_ACTOR.id}`, 'The service'],
    ...Array.from(users, ([chatId, name]) => [`user:${chatId}`, name] as const),
    ...keys.map(({ keyId, name }) => [`key:${keyId}`, name] as const),
  ]);
  return ({ kind, id }) => ({ kind, id, name: names.get(`${kind}:${id}`) });
}

/**
 * Looks up all people the entries are about at once, and returns a function that adds the person's name to an entry.
 */
async function namePeople(
  guild: GuildRef,
  entries: readonly AuditEntry[],
  { discharges, transfers, names: guildNames, chatNames }: AuditLogParts,
): Promise<(entry: AuditEntry) => string | undefined> {
  const idsOf = (wanted: SubjectKind) => [
    ...new Set(entries.filter((entry) => entry.subjectKind === wanted).map(({ subjectId }) => subjectId)),
  ];
  const playerIds = new Set(entries.flatMap((entry) => playerOf(entry) ?? []));
  const chatIds = [...new Set(entries.flatMap((entry) => chatOf(entry) ?? []))];
  const [discharged, transferred, people, users] = await Promise.all([
    discharges.findMany(guild, idsOf('discharge')),
    transfers.findMany(guild, idsOf('transfer')),
    guildNames.find(guild.guildId, { playerIds: [...playerIds] }),
    chatNames.find(guild.guildId, chatIds),
  ]);
  const names = new Map<string, string>([
    ...discharged.map(({ id, name }) => [`discharge:${id}`, name] as const),
    ...transferred.map(({ id, name }) => [`transfer:${id}`, name] as const),
    ...people.map(({ playerId, username }) => [`player:${playerId}`, username] as const),
    ...Array.from(users, ([chatId, name]) => [`chat:${chatId}`, name] as const),
  ]);
  return (entry) => {
    const [playerId, chatId] = [playerOf(entry), chatOf(entry)];
    if (playerId !== undefined) {
      return names.get(`player:${playerId}`);
    }
    return names.get(chatId === undefined ? `${entry.subjectKind}:${entry.subjectId}` : `chat:${chatId}`);
  };
}

/** The chat account that an entry is about. */
function chatOf({ subjectKind, subjectId }: AuditEntry): string | undefined {
  if (subjectKind === 'verification') {
    return subjectId;
  }
  return subjectKind === 'role' ? personOfSubject(subjectId) : undefined;
}

/** The player whose account an entry is about. */
function playerOf({ subjectKind, subjectId, detail }: AuditEntry): string | undefined {
  if (subjectKind === 'account') {
    return subjectId;
  }
  const playerId = subjectKind === 'transaction' ? detail.after?.playerId : undefined;
  return typeof playerId === 'string' ? playerId : undefined;
}
