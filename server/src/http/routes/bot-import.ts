import { Readable } from 'node:stream';
import type { FastifyInstance } from 'fastify';
import { DomainError } from '../../domain/errors.ts';
import type { Clock, Store } from '../../domain/ports.ts';
import { type ImportResult, importRecords } from '../../exchange/import.ts';
import { readNdjson } from '../../exchange/lines.ts';
import { EXAMPLE_DISCHARGE, EXAMPLE_PLAYER_ID, EXAMPLE_TRANSACTION } from '../../wire/examples.ts';
import { ImportLine, ImportParams, ImportQuery } from '../../wire/exchange-http.ts';
import { liftBodyDeadline } from '../body-deadline.ts';
import { addEndpoint, type Endpoint } from '../endpoint.ts';
import { createBotGuard, type GuardParts } from '../guard.ts';
import { BOT } from './bot.ts';

export const importLines = {
  operationId: 'importRecords',
  method: 'POST',
  path: '/bot/import/{kind}',
  tag: 'Bot',
  summary: 'Import records',
  description:
    'Takes any number of records as NDJSON, one a line, and answers with one line for each: its number, what became of ' +
    'it, and for a rejected one the reason. Lines are written in batches; what was reported is on disk. A broken ' +
    'connection leaves what was written, and sending the same lines again completes it. `commands` replaces the whole ' +
    'catalogue.',
  access: 'bot',
  errorShape: 'enveloped',
  params: ImportParams,
  query: ImportQuery,
  isStreamed: true,
  bodyExample: `${JSON.stringify({
    guildId: EXAMPLE_DISCHARGE.guildId,
    playerId: EXAMPLE_PLAYER_ID,
    ...EXAMPLE_TRANSACTION,
  })}\n`,
  reply: ImportLine,
  examples: {
    created: { line: 1, outcome: 'created' },
    rejected: { line: 2, outcome: 'rejected', reason: 'date is missing' },
  },
  errors: [
    {
      code: 'invalid_input',
      detail: 'kind must be one of: discharges, transfers, verifications, commands, transactions',
    },
    { code: 'unsupported_media_type', detail: 'application/x-ndjson' },
  ],
} satisfies Endpoint;

export interface BotImportParts extends GuardParts {
  botToken: string;
  store: Store;
  clock: Clock;
}

/** Belongs into a scope of its own: no other route takes lines, and this one takes nothing else. */
export function addBotImportRoute(app: FastifyInstance, parts: BotImportParts): void {
  const { store, clock } = parts;
  app.removeAllContentTypeParsers();
  // Lines are read by the handler as they come; nothing gathers them.
  app.addContentTypeParser('application/x-ndjson', (_request, payload, done) => done(null, payload));
  app.addContentTypeParser('*', (_request, _payload, done) =>
    done(new DomainError('unsupported_media_type', { detail: 'application/x-ndjson' })),
  );
  const guard = createBotGuard(parts.botToken, parts);
  addEndpoint(app, importLines, guard, async (request, reply) => {
    liftBodyDeadline(request.raw);
    const results = importRecords({
      store,
      kind: request.params.kind,
      items: readNdjson(request.raw),
      guildId: request.query.guild,
      change: { actor: BOT, atMs: clock.nowMs() },
    });
    reply.type('application/x-ndjson; charset=utf-8');
    return reply.serializer(String).send(Readable.from(toLines(results)));
  });
}

async function* toLines(results: AsyncIterable<ImportResult>): AsyncGenerator<string> {
  for await (const { line, outcome } of results) {
    const report =
      typeof outcome === 'string'
        ? { line, outcome }
        : { line, outcome: 'rejected', reason: outcome.rejected };
    yield `${JSON.stringify(report)}\n`;
  }
}
