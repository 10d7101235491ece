import type { FastifyInstance } from 'fastify';
import { decimalText } from '../../domain/amount.ts';
import type { GuildPeople, PersonAccount } from '../../domain/guild-people.ts';
import { DashboardGuildParams } from '../../wire/dashboard.ts';
import { PersonQuery, PersonReply, SamplesReply } from '../../wire/dashboard-records.ts';
import { addEndpoint, type Route } from '../endpoint.ts';
import { createSessionGuard, type SessionGuardParts } from '../session-guard.ts';

const SESSION_ROUTE = { access: 'session', errorShape: 'enveloped', method: 'GET' } as const;

export const findPerson = {
  ...SESSION_ROUTE,
  path: '/dashboard/api/guilds/{guildId}/verifications',
  params: DashboardGuildParams,
  query: PersonQuery,
  reply: PersonReply,
} satisfies Route;

export const getSamples = {
  ...SESSION_ROUTE,
  path: '/dashboard/api/guilds/{guildId}/samples',
  params: DashboardGuildParams,
  reply: SamplesReply,
} satisfies Route;

export interface DashboardPeopleParts extends SessionGuardParts {
  guildPeople: GuildPeople;
}

/** Who somebody is, as far as this guild may know, and ids to fill examples with. */
export function addDashboardPeopleRoutes(app: FastifyInstance, parts: DashboardPeopleParts): void {
  const { guildPeople } = parts;
  addEndpoint(app, findPerson, createSessionGuard(findPerson, parts), async ({ params, query }) => {
    const person = await guildPeople.find(params.guildId, query.query);
    return { success: true, data: { ...person, accounts: person.accounts.map(toWireAccount) } };
  });
  addEndpoint(app, getSamples, createSessionGuard(getSamples, parts), async ({ params }) => {
    const { playerId, dischargeId, transferId, username } = await guildPeople.samples(params.guildId);
    return {
      success: true,
      data: {
        playerId: playerId ?? null,
        dischargeId: dischargeId ?? null,
        transferId: transferId ?? null,
        username: username ?? null,
      },
    };
  });
}

function toWireAccount({ balanceUnits, ...account }: PersonAccount): object {
  return { ...account, balance: decimalText(balanceUnits) };
}
