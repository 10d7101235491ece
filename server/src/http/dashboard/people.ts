import { decimalText } from '../../domain/ledger/amount.ts';
import type { PersonAccount } from '../../domain/people/guild-people.ts';
import { DashboardGuildParams } from '../../wire/dashboard.ts';
import { PersonQuery, PersonReply, SamplesReply } from '../../wire/dashboard-records.ts';
import type { SessionRoute } from '../access/session.ts';
import { answerJson } from '../answer.ts';
import type { Route } from '../endpoint.ts';
import { forSession, SESSION_ROUTE } from './for-session.ts';

const findPerson = {
  ...SESSION_ROUTE,
  method: 'GET',
  path: '/dashboard/api/guilds/{guildId}/verifications',
  params: DashboardGuildParams,
  query: PersonQuery,
  reply: PersonReply,
  nullFor: 'user_not_found',
} satisfies SessionRoute;

const getSamples = {
  ...SESSION_ROUTE,
  method: 'GET',
  path: '/dashboard/api/guilds/{guildId}/samples',
  params: DashboardGuildParams,
  reply: SamplesReply,
} satisfies Route;

/** Looks up a person with this guild's data about them, and returns ids for examples. */
export const PERSON_ENDPOINTS = [
  forSession(findPerson, ({ guildPeople }) => async ({ params, query }) => {
    const person = await guildPeople.find(params.guildId, query.query);
    return answerJson({ success: true, data: { ...person, accounts: person.accounts.map(toWireAccount) } });
  }),
  forSession(getSamples, ({ guildPeople }) => async ({ params }) => {
    const { playerId, dischargeId, transferId, username } = await guildPeople.samples(params.guildId);
    return answerJson({
      success: true,
      data: {
        playerId: playerId ?? null,
        dischargeId: dischargeId ?? null,
        transferId: transferId ?? null,
        username: username ?? null,
      },
    });
  }),
];

function toWireAccount({ balanceUnits, ...account }: PersonAccount): object {
  return { ...account, balance: decimalText(balanceUnits) };
}
