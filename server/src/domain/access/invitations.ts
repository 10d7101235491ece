import { DomainError } from '../errors.ts';
import type { Actor } from '../model.ts';
import type { ChatNames } from '../people/chat-names.ts';
import type { Clock, IdSource } from '../ports.ts';
import { parseActor } from './actors.ts';
import type { Guilds } from './guilds.ts';
import type { Invitation, InvitationStore } from './invitation-store.ts';
import type { Role } from './roles.ts';
import { createToken, hashOfToken, isWellFormedToken } from './session-token.ts';

const DAY_MS = 86_400_000;

export interface NamedInvitation extends Omit<Invitation, 'createdBy'> {
  createdBy: { id: string; name: string | undefined };
}

export interface InvitationOrder {
  role: Role;
  uses: number;
  days: number;
}

export interface Invitations {
  list(guildId: string): Promise<NamedInvitation[]>;
  /** Makes an invitation and returns its token, which cannot be read again later. */
  create(
    guildId: string,
    order: InvitationOrder,
    actor: Actor,
  ): Promise<{ invitation: Invitation; token: string }>;
  revoke(guildId: string, invitationId: string, actor: Actor): Promise<void>;
  /**
   * Accepts an invitation for the actor. Unknown guilds, and tokens that are unknown, expired, used up or revoked, fail
   * with the same error.
   */
  accept(guildId: string, token: string, actor: Actor): Promise<Role>;
}

export interface InvitationParts {
  store: InvitationStore;
  guilds: Guilds;
  chatNames: ChatNames;
  clock: Clock;
  ids: IdSource;
}

export function createInvitations({ store, guilds, chatNames, clock, ids }: InvitationParts): Invitations {
  return {
    async list(guildId) {
      const invitations = await store.list(await guilds.find(guildId), clock.nowMs());
      const makers = new Set(invitations.map(({ createdBy }) => parseActor(createdBy).id));
      const names = await chatNames.find(guildId, [...makers]);
      return invitations.map(({ createdBy, ...invitation }) => {
        const { id } = parseActor(createdBy);
        return { ...invitation, createdBy: { id, name: names.get(id) } };
      });
    },
    async create(guildId, { role, uses, days }, actor) {
      const guild = await guilds.find(guildId);
      const nowMs = clock.nowMs();
      const token = createToken(ids);
      const invitation = {
        invitationId: ids.uuid(),
        role,
        usesLeft: uses,
        createdBy: `${actor.kind}:${actor.id}`,
        createdAtMs: nowMs,
        expiresAtMs: nowMs + days * DAY_MS,
      };
      const change = { actor, atMs: nowMs };
      await store.insert(guild, { ...invitation, tokenHash: hashOfToken(token) }, change);
      return { invitation, token };
    },
    async revoke(guildId, invitationId, actor) {
      const guild = await guilds.find(guildId);
      if (!(await store.delete(guild, invitationId, { actor, atMs: clock.nowMs() }))) {
        throw new DomainError('invitation_not_found');
      }
    },
    async accept(guildId, token, actor) {
      if (!isWellFormedToken(token)) {
        throw new DomainError('invitation_not_found');
      }
      const guild = await guilds.find(guildId).catch((error: unknown) => {
        const isUnknown = error instanceof DomainError && error.code === 'guild_not_found';
        throw isUnknown ? new DomainError('invitation_not_found') : error;
      });
      const acceptance = { tokenHash: hashOfToken(token), chatId: actor.id };
      const role = await store.accept(guild, acceptance, { actor, atMs: clock.nowMs() });
      if (role === undefined) {
        throw new DomainError('invitation_not_found');
      }
      return role;
    },
  };
}
