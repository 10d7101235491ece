import type { Static, TObject, TSchema } from 'typebox';
import type { AccountLedger } from '../../domain/ledger/own-account.ts';
import type { MaybePromise } from '../../domain/maybe-promise.ts';
import { DashboardGuildParams } from '../../wire/dashboard.ts';
import { DashboardPlayerParams } from '../../wire/dashboard-ledger.ts';
import { ownAccountOf, type SessionRoute } from '../access/session.ts';
import type { Answer } from '../answer.ts';
import type { EndpointParts } from '../endpoint-parts.ts';
import type { HttpRequest } from '../request.ts';
import type { Served } from '../served.ts';
import type { CsvDownload } from './csv-download.ts';
import { forSession, SESSION_ROUTE } from './for-session.ts';

const GUILD = '/dashboard/api/guilds/{guildId}';

/** The account that a request is about, with the ledger as the caller sees it. */
export interface Account {
  guildId: string;
  playerId: string;
  ledger: AccountLedger;
  answerFile(request: HttpRequest, file: Omit<CsvDownload, 'guildId'>): Promise<Answer>;
}

/** The endpoint of an account without its address. */
type AccountRoute<Query extends TObject> = Pick<SessionRoute<TObject, Query>, 'query' | 'reply'>;

type CreateAccountHandler<Query> = (
  parts: EndpointParts,
) => (account: Account, call: { query: Query; request: HttpRequest }) => MaybePromise<Answer>;

/**
 * Declares an endpoint about an account under two addresses: `players/{playerId}/...` for people with a role, and `me/...` for the
 * account of the person themself.
 */
export function forAccount<Query extends TObject>(
  path: string,
  route: AccountRoute<Query>,
  createHandler: CreateAccountHandler<Static<Query>>,
): Served[] {
  const shared = { ...SESSION_ROUTE, ...route, method: 'GET' } as const;
  const ofPlayer = { ...shared, path: `${GUILD}/players/{playerId}/${path}`, params: DashboardPlayerParams };
  const ofThemself = { ...shared, path: `${GUILD}/me/${path}`, params: DashboardGuildParams };
  return [
    forSession<typeof DashboardPlayerParams, Query, TSchema>(ofPlayer, (parts) => {
      const handle = createHandler(parts);
      return ({ params: { guildId, playerId }, ...call }) => {
        const answerFile: Account['answerFile'] = (request, file) =>
          parts.downloads.answer(request, { guildId, ...file });
        return handle({ guildId, playerId, ledger: parts.guildLedger, answerFile }, call);
      };
    }),
    forSession<typeof DashboardGuildParams, Query, TSchema>(ofThemself, (parts) => {
      const handle = createHandler(parts);
      return ({ params: { guildId }, who, ...call }) => {
        const own = ownAccountOf(who);
        const { playerId } = own;
        // Members have other places than the guild, so that their files never keep the guild from its own.
        const answerFile: Account['answerFile'] = (request, file) =>
          parts.ownDownloads.answer(request, { guildId: `${guildId} ${playerId}`, ...file });
        return handle({ guildId, playerId, ledger: parts.ownLedgers(own), answerFile }, call);
      };
    }),
  ];
}
