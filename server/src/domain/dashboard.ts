import { actorOf, parseActor } from './access/actors.ts';
import type { ApiKeys, KeyOrder, KeySettings } from './access/api-keys.ts';
import { ANSWERED, countsByDay } from './access/key-usage.ts';
import { createManagerCheck } from './access/manager-check.ts';
import { hasRole, type Role, type RoleStore, roleOf } from './access/roles.ts';
import type { Sessions } from './access/sessions.ts';
import { dayOf } from './calendar.ts';
import { type DashboardGuild, describeGuild, type PersonGuild } from './dashboard-guilds.ts';
import { DomainError } from './errors.ts';
import type { ActorKind, ApiKey, KeyUsageCount, ManagedGuild, Session, Verification } from './model.ts';
import type { Clock, GuildStore, SessionStore, VerificationStore } from './ports.ts';

const DAY_MS = 86_400_000;
const EXPIRING_MS = 14 * DAY_MS;

export interface DashboardKey extends Omit<ApiKey, 'createdBy' | 'guild'> {
  createdBy: { kind: ActorKind; id: string; name: string | undefined };
  state: 'active' | 'expiring' | 'expired';
}

/**
 * The operations of a signed-in person. A guild in which they have neither a role nor an account gives the same error as an unknown
 * guild.
 */
export interface Dashboard {
  /** The guilds in which the person has a role or may see their own account. */
  guilds(session: Session): Promise<DashboardGuild[]>;
  /**
   * Returns the person's role in the guild, from a list of the platform that is less than five minutes old, and
   * refuses a person without the given role. A person without any role gets the same error as for an unknown guild.
   */
  requireRole(session: Session, guildId: string, role: Role): Promise<Role>;
  /** True when the person has the role in the guild, from the same list. */
  hasRole(session: Session, guildId: string, role: Role): Promise<boolean>;
  /**
   * Asks the chat platform now, bypassing the cache, and refuses a person without the role of the action. Returns whether they
   * manage the guild on the platform itself. The access check calls it before every change.
   */
  requireRoleNow(
    session: Session,
    guildId: string,
    action: { role: Role; needsPlatform?: boolean },
  ): Promise<boolean>;
  /**
   * Returns the verification of a member of the guild, whose account they may see. It is read at each call. Without one, or when
   * the guild does not show members their accounts, a person gets the same error as for an unknown guild.
   */
  requireOwnAccount(session: Session, guildId: string): Promise<Verification>;
  keys(guildId: string): Promise<DashboardKey[]>;
  createKey(session: Session, order: KeyOrder): Promise<{ key: DashboardKey; value: string }>;
  deleteKey(session: Session, target: GuildKey, options: { keepsWebhooks: boolean }): Promise<void>;
  /** Gives a key another value and returns it, once. */
  rotateKey(
    session: Session,
    target: GuildKey,
    overlapMs: number,
  ): Promise<{ key: DashboardKey; value: string }>;
  /** With `isTighteningOnly` a change that loosens the key is refused. */
  updateKey(
    session: Session,
    target: GuildKey,
    settings: KeySettings,
    options: { isTighteningOnly: boolean },
  ): Promise<DashboardKey>;
  /** The use of a key on each of the last days, today last. */
  keyUsage(target: GuildKey): Promise<KeyDay[]>;
}

export interface GuildKey {
  guildId: string;
  keyId: string;
}

export interface KeyDay {
  day: number;
  answered: number;
  refused: { code: string; count: number }[];
}

export interface DashboardParts {
  sessions: Sessions;
  keys: ApiKeys;
  guildStore: GuildStore;
  verificationStore: Pick<VerificationStore, 'find'>;
  roles: RoleStore;
  sessionStore: SessionStore;
  clock: Clock;
}

export function createDashboard(parts: DashboardParts): Dashboard {
  const { sessions, keys, guildStore, verificationStore, clock } = parts;
  const { currentGuilds, askGuilds } = createManagerCheck(sessions, clock);

  async function rolesOf({ user }: Session, guilds: readonly ManagedGuild[]): Promise<PersonGuild[]> {
    const members = guilds.filter(({ standing }) => standing === 'member').map(({ guildId }) => guildId);
    const grants = members.length === 0 ? [] : await parts.roles.grants(user.chatId, members);
    const byGuild = new Map(grants.map((grant) => [grant.guildId, grant]));
    return guilds.map((guild) => ({ ...guild, role: roleOf(guild, byGuild.get(guild.guildId)) }));
  }

  async function roleIn(
    session: Session,
    guildId: string,
    guilds: readonly ManagedGuild[],
  ): Promise<Role | undefined> {
    const [open] = await rolesOf(session, only(guildId, guilds));
    return open?.role;
  }

  return {
    async guilds(session) {
      const guilds = await rolesOf(session, await currentGuilds(session));
      const isVerified = (await verificationStore.find(['chat'], session.user.chatId)) !== undefined;
      const nowMs = clock.nowMs();
      const described = await Promise.all(
        guilds
          .filter(({ role }) => role !== undefined || isVerified)
          .map(async (guild) =>
            describeGuild(guild, await guildStore.find(guild.guildId), { isVerified, nowMs }),
          ),
      );
      return described.filter(({ role, hasOwnAccount }) => role !== undefined || hasOwnAccount);
    },

    async requireRole(session, guildId, needed) {
      const role = await roleIn(session, guildId, await currentGuilds(session));
      if (role === undefined) {
        throw new DomainError('guild_not_found');
      }
      assertRole(role, needed);
      return role;
    },

    async hasRole(session, guildId, needed) {
      const role = await roleIn(session, guildId, await currentGuilds(session));
      return role !== undefined && hasRole(role, needed);
    },

    async requireRoleNow(session, guildId, { role, needsPlatform = false }) {
      const [guild] = await rolesOf(session, only(guildId, await askGuilds(session)));
      // `not_guild_manager` instead of `role_required`: no role is enough for an action that needs the right on the
      // platform.
      if (guild?.role === undefined || (needsPlatform && !hasRole(guild.role, role))) {
        throw new DomainError('not_guild_manager');
      }
      assertRole(guild.role, role);
      return isManaged(guild);
    },

    async requireOwnAccount(session, guildId) {
      const isMember = only(guildId, await currentGuilds(session)).length > 0;
      const guild = isMember ? await guildStore.find(guildId) : undefined;
      const own = guild?.ownAccounts
        ? await verificationStore.find(['chat'], session.user.chatId)
        : undefined;
      if (own === undefined) {
        throw new DomainError('guild_not_found');
      }
      return own;
    },

    async keys(guildId) {
      return describeKeys(await keys.list(guildId), parts);
    },

    async createKey(session, order) {
      const { key, value } = await keys.create(order, actorOf(session));
      const { name } = session.user;
      const described = describeKey(key, new Map([[session.user.chatId, name]]), clock.nowMs());
      return { key: described, value };
    },

    async deleteKey(session, { guildId, keyId }, { keepsWebhooks }) {
      await keys.delete(keyId, actorOf(session), { guildId, keepsWebhooks });
    },

    async rotateKey(session, target, overlapMs) {
      const { key, value } = await keys.rotate(target, overlapMs, actorOf(session));
      return { key: await describeOne(key, parts), value };
    },

    async updateKey(session, target, settings, options) {
      return describeOne(await keys.update(target, settings, actorOf(session), options), parts);
    },

    async keyUsage({ guildId, keyId }) {
      const { counts } = await keys.usage(guildId, keyId, SHOWN_DAYS);
      return toDays(counts, dayOf(clock.nowMs()));
    },
  };
}

/** The days that the list of keys shows. */
const SHOWN_DAYS = 30;

function only(guildId: string, guilds: readonly ManagedGuild[]): ManagedGuild[] {
  return guilds.filter((guild) => guild.guildId === guildId);
}

/** True when the person manages the guild on the platform itself. Other people have a role that the guild gave them. */
function isManaged({ standing }: ManagedGuild): boolean {
  return standing !== 'member';
}

function assertRole(role: Role, needed: Role): void {
  if (!hasRole(role, needed)) {
    throw new DomainError('role_required', { detail: needed });
  }
}

async function describeOne(key: ApiKey, parts: DashboardParts): Promise<DashboardKey> {
  const [described] = await describeKeys([key], parts);
  if (described === undefined) {
    throw new Error('one key is described as one key');
  }
  return described;
}

function toDays(counts: readonly KeyUsageCount[], today: number): KeyDay[] {
  const byDay = countsByDay(counts);
  return Array.from({ length: SHOWN_DAYS }, (_, index) => {
    const day = today - SHOWN_DAYS + 1 + index;
    const ofDay = byDay.filter((count) => count.day === day);
    return {
      day,
      answered: ofDay.find(({ code }) => code === ANSWERED)?.count ?? 0,
      refused: ofDay.filter(({ code }) => code !== ANSWERED).map(({ code, count }) => ({ code, count })),
    };
  });
}

async function describeKeys(
  keys: readonly ApiKey[],
  { sessionStore, clock }: DashboardParts,
): Promise<DashboardKey[]> {
  const creators = new Set(keys.map(({ createdBy }) => parseActor(createdBy)).map(({ id }) => id));
  const users = await sessionStore.findUsers([...creators]);
  const names = new Map(users.map(({ chatId, name }) => [chatId, name]));
  const nowMs = clock.nowMs();
  return keys.map((key) => describeKey(key, names, nowMs));
}

function describeKey(
  { guild: _guild, ...key }: ApiKey,
  names: ReadonlyMap<string, string>,
  nowMs: number,
): DashboardKey {
  const { kind, id } = parseActor(key.createdBy);
  const name = kind === 'user' ? names.get(id) : undefined;
  return { ...key, createdBy: { kind, id, name }, state: stateOf(key.expiresAtMs - nowMs) };
}

function stateOf(leftMs: number): DashboardKey['state'] {
  if (leftMs <= 0) {
    return 'expired';
  }
  return leftMs <= EXPIRING_MS ? 'expiring' : 'active';
}
