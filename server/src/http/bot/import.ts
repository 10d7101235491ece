import { Readable } from 'node:stream';
import { type ImportResult, importRecords } from '../../import-export/import.ts';
import { readNdjson } from '../../import-export/lines.ts';
import { EXAMPLE_DISCHARGE, EXAMPLE_PLAYER_ID, EXAMPLE_TRANSACTION } from '../../wire/examples.ts';
import {
  ImportedCommand,
  ImportedDischarge,
  ImportedTransaction,
  ImportedTransfer,
  ImportedVerification,
} from '../../wire/import-export.ts';
import { ImportLine, ImportParams, ImportQuery } from '../../wire/import-export-http.ts';
import { liftBodyDeadline } from '../body-deadline.ts';
import type { Endpoint } from '../endpoint.ts';
import { BOT, forBot } from './for-bot.ts';

const importLines = {
  operationId: 'importRecords',
  method: 'POST',
  path: '/bot/import/{kind}',
  tag: 'Bot',
  summary: 'Import records',
  description:
    'Takes any number of records as NDJSON, one a line, and answers with one line for each: its number, its ' +
    'outcome, and the reason if it was rejected. Lines are written in batches; what was reported is on disk. A broken ' +
    'connection leaves what was written, and sending the same lines again completes it. `commands` replaces the whole ' +
    'catalogue.',
  access: 'bot',
  errorShape: 'coded',
  params: ImportParams,
  query: ImportQuery,
  mediaType: 'application/x-ndjson',
  isStreamed: true,
  bodyLines: [
    ImportedDischarge,
    ImportedTransfer,
    ImportedVerification,
    ImportedCommand,
    ImportedTransaction,
  ],
  bodyExample: `${JSON.stringify({
    guildId: EXAMPLE_DISCHARGE.guildId,
    playerId: EXAMPLE_PLAYER_ID,
    ...EXAMPLE_TRANSACTION,
  })}\n`,
  reply: ImportLine,
  examples: {
    lines: '{"line":1,"outcome":"created"}\n{"line":2,"outcome":"rejected","reason":"date is missing"}\n',
  },
  errors: [
    {
      code: 'invalid_input',
      detail: 'kind must be one of: discharges, transfers, verifications, commands, transactions',
    },
    { code: 'unsupported_media_type', detail: 'application/x-ndjson' },
  ],
} satisfies Endpoint;

export const BOT_IMPORT_ENDPOINTS = [
  forBot(importLines, ({ clock, store }) => ({ params: { kind }, query, request }) => {
    liftBodyDeadline(request.raw);
    const results = importRecords({
      store,
      kind,
      items: readNdjson(request.raw),
      guildId: query.guild,
      change: { actor: BOT, atMs: clock.nowMs() },
    });
    return { body: Readable.from(toLines(results)), contentType: 'application/x-ndjson; charset=utf-8' };
  }),
];

async function* toLines(groups: AsyncIterable<readonly ImportResult[]>): AsyncGenerator<string> {
  for await (const results of groups) {
    yield results.map(toLine).join('');
  }
}

function toLine({ line, outcome }: ImportResult): string {
  const report =
    typeof outcome === 'string' ? { line, outcome } : { line, outcome: 'rejected', reason: outcome.rejected };
  return `${JSON.stringify(report)}\n`;
}
