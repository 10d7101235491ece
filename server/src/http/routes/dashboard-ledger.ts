import type { FastifyInstance, FastifyReply } from 'fastify';
import { decimalText } from '../../domain/amount.ts';
import { dayOf, dayText } from '../../domain/calendar.ts';
import type { GuildLedger } from '../../domain/guild-ledger.ts';
import type { Clock } from '../../domain/ports.ts';
import { ledgerCsv } from '../../exchange/ledger-csv.ts';
import { JSON_TYPE } from '../answer-text.ts';
import type { SendCsv } from '../csv-download.ts';
import {
  guildTransactionsText,
  overviewBody,
  playerBody,
  playerTransactionsText,
  playerViewBody,
} from '../dashboard-ledger-body.ts';
import { addEndpoint } from '../endpoint.ts';
import { idempotencyKeyOf } from '../idempotency-key.ts';
import { createSessionGuard, type SessionGuardParts, signedInOf } from '../session-guard.ts';
import {
  exportGuildTransactions,
  exportPlayerTransactions,
  findPlayers,
  getOverview,
  getPlayer,
  listGuildTransactions,
  listPlayerTransactions,
  postCorrection,
} from './dashboard-ledger-endpoints.ts';

export interface DashboardLedgerParts extends SessionGuardParts {
  guildLedger: GuildLedger;
  sendCsv: SendCsv;
  clock: Clock;
}

/** The money pages: what a guild's ledger looks like from above, one player's account, and corrections. */
export function addDashboardLedgerRoutes(app: FastifyInstance, parts: DashboardLedgerParts): void {
  const { guildLedger } = parts;
  const guard = (route: { method: string }) => createSessionGuard(route, parts);

  addEndpoint(app, getOverview, guard(getOverview), async ({ params, query }) => ({
    success: true,
    data: overviewBody(await guildLedger.overview(params.guildId, query)),
  }));
  addEndpoint(app, findPlayers, guard(findPlayers), async ({ params, query }) => {
    const players = await guildLedger.players(params.guildId, query.query, query.limit);
    return { success: true, data: players.map(playerBody) };
  });
  addEndpoint(app, getPlayer, guard(getPlayer), async ({ params }) => ({
    success: true,
    data: playerViewBody(await guildLedger.player(params.guildId, params.playerId)),
  }));
  addEndpoint(
    app,
    listPlayerTransactions,
    guard(listPlayerTransactions),
    async ({ params, query }, reply) => {
      const listing = await guildLedger.list(params.guildId, params.playerId, query);
      return sendText(reply, playerTransactionsText(params.playerId, query, listing));
    },
  );
  addEndpoint(app, listGuildTransactions, guard(listGuildTransactions), async ({ params, query }, reply) =>
    sendText(reply, guildTransactionsText(await guildLedger.listGuild(params.guildId, query))),
  );
  addExports(app, parts);
  addCorrections(app, parts);
}

function addExports(app: FastifyInstance, parts: DashboardLedgerParts): void {
  const { guildLedger, sendCsv, clock } = parts;
  const guardExport = createSessionGuard(exportGuildTransactions, parts);
  const fileName = (name: string) => `${name}-${dayText(dayOf(clock.nowMs()))}.csv`;

  addEndpoint(app, exportPlayerTransactions, guardExport, async ({ params, query }, reply) => {
    const { guildId, playerId } = params;
    const rows = ledgerCsv(await guildLedger.export(guildId, playerId, query));
    return sendCsv(reply, { fileName: fileName(`transactions-${playerId}`), rows });
  });
  addEndpoint(app, exportGuildTransactions, guardExport, async ({ params, query }, reply) => {
    const rows = ledgerCsv(await guildLedger.exportGuild(params.guildId, query));
    return sendCsv(reply, { fileName: fileName('transactions'), rows });
  });
}

function addCorrections(app: FastifyInstance, parts: DashboardLedgerParts): void {
  const { guildLedger, dashboard } = parts;
  addEndpoint(app, postCorrection, createSessionGuard(postCorrection, parts), async (request, reply) => {
    const { session } = signedInOf(request);
    const { guildId, playerId } = request.params;
    const idempotencyKey = idempotencyKeyOf(request);
    await dashboard.requireManagedNow(session, guildId);
    const input = { ...request.body, playerId };
    const outcome = await guildLedger.correct(session, guildId, input, idempotencyKey);
    if (outcome.replayed) {
      reply.header('idempotency-replayed', 'true');
    }
    return {
      success: true,
      message: `Transaction Posted (${outcome.type})`,
      type: outcome.type,
      data: { transactionId: outcome.transactionId, balance: decimalText(outcome.balanceUnits) },
    };
  });
}

/** Sends a body that was written by hand. */
function sendText(reply: FastifyReply, text: string): FastifyReply {
  return reply.type(JSON_TYPE).serializer(String).send(text);
}
