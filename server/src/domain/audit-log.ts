import { parseActor } from './access/actors.ts';
import type { Guilds } from './access/guilds.ts';
import { type Days, rangeOfDays } from './ledger/time-range.ts';
import type { Actor, AuditAction, AuditEntry, GuildRef, SubjectKind } from './model.ts';
import type { AuditStore, KeyStore, SessionStore } from './ports.ts';

/** A filter offers no more people than this. */
export const ACTORS_SHOWN_MAX = 100;

export interface AuditRequest extends Days {
  limit: number;
  /** Entries older than the one of this number. */
  before?: number | undefined;
  /** Such as `user:4711`. */
  actor?: string | undefined;
  kind?: SubjectKind | undefined;
  action?: AuditAction | undefined;
}

/** An actor with a name: that of a key, deleted or not, or of a person who signed in before. */
export interface NamedActor extends Actor {
  name: string | undefined;
}

export interface AuditPage {
  entries: (Omit<AuditEntry, 'actor'> & { actor: NamedActor })[];
  /** The `before` with which the log goes on; undefined at its end. */
  next: number | undefined;
  /** Everybody in the guild's log, at most `ACTORS_SHOWN_MAX`. */
  actors: NamedActor[];
}

export interface AuditLog {
  /** The newest entries of the guild's own log that match. */
  page(guildId: string, request: AuditRequest): Promise<AuditPage>;
}

export interface AuditLogParts {
  store: AuditStore;
  guilds: Guilds;
  keyStore: KeyStore;
  sessionStore: SessionStore;
}

export function createAuditLog(parts: AuditLogParts): AuditLog {
  const { store, guilds } = parts;
  return {
    async page(guildId, { limit, before, actor, kind, action, since, until }) {
      const guild = await guilds.find(guildId);
      // One more than asked for tells whether there are more.
      const found = await store.list(guild, {
        limit: limit + 1,
        beforeEntryNo: before,
        actor: actor === undefined ? undefined : parseActor(actor),
        subjectKind: kind,
        action,
        range: rangeOfDays({ since, until }),
      });
      const entries = found.slice(0, limit);
      const actors = await store.actors(guild, ACTORS_SHOWN_MAX);
      const named = await nameActors(guild, [...actors, ...entries.map((entry) => entry.actor)], parts);
      return {
        entries: entries.map((entry) => ({ ...entry, actor: named(entry.actor) })),
        next: found.length > limit ? entries.at(-1)?.entryNo : undefined,
        actors: actors.map(named),
      };
    },
  };
}

/** Looks all names up at once and gives a function that puts each to its actor. */
async function nameActors(
  guild: GuildRef,
  actors: readonly Actor[],
  { keyStore, sessionStore }: AuditLogParts,
): Promise<(actor: Actor) => NamedActor> {
  const idsOf = (wanted: Actor['kind']) => [
    ...new Set(actors.filter(({ kind }) => kind === wanted).map(({ id }) => id)),
  ];
  const [users, keys] = await Promise.all([
    sessionStore.findUsers(idsOf('user')),
    keyStore.findNames(guild, idsOf('key')),
  ]);
  const names = new Map<string, string>([
    ...users.map(({ chatId, name }) => [`user:${chatId}`, name] as const),
    ...keys.map(({ keyId, name }) => [`key:${keyId}`, name] as const),
  ]);
  return ({ kind, id }) => ({ kind, id, name: names.get(`${kind}:${id}`) });
}
