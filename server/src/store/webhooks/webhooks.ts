import { DomainError } from '../../domain/errors.ts';
import { ATTEMPTS_KEPT_MAX, type DeliveryProgress, type SealedField } from '../../domain/webhooks/webhook.ts';
import type { WebhookStore } from '../../domain/webhooks/webhook-store.ts';
import { type Engine, inGroup, inGuildLane, inLane, inOneStatement } from '../jobs.ts';
import { statement } from '../sql.ts';
import type { MovedGuilds } from './moved-guilds.ts';
import { deleteWebhook, insertWebhook, updateWebhook, type WebhookInsert } from './webhook-changes.ts';
import {
  addAttempt,
  claimWebhooks,
  enqueueWebhook,
  rewindWebhook,
  type WebhookLease,
} from './webhook-deliveries.ts';
import { createEndsReader } from './webhook-ends.ts';
import { recordDeliveries, recordDelivery } from './webhook-results.ts';
import {
  ATTEMPT_COLUMNS,
  type AttemptRow,
  FIND,
  RETRY_COLUMNS,
  type RetryRow,
  SEALED_COLUMNS,
  SEALED_WEBHOOK_COLUMNS,
  type SealedWebhookRow,
  toAttempt,
  toRetry,
  toSealedWebhook,
  toWebhook,
  toWholeAttempt,
  WEBHOOK_COLUMNS,
  WEBHOOK_TABLES,
  type WebhookRef,
  type WebhookRow,
  type WholeAttemptRow,
} from './webhook-rows.ts';
import { createWaker, WAKING_WRITES } from './webhook-waking.ts';
import { findWork } from './webhook-work.ts';

const FIND_ALL = statement<WebhookRow>(
  `SELECT ${WEBHOOK_COLUMNS} FROM ${WEBHOOK_TABLES} WHERE w.guild_no = $1 ORDER BY w.created_at, w.webhook_id`,
);
const FIND_BY_KEY = statement<WebhookRow>(
  `SELECT ${WEBHOOK_COLUMNS} FROM ${WEBHOOK_TABLES} WHERE w.key_id = $1 ORDER BY w.created_at, w.webhook_id`,
);
const FIND_ATTEMPTS = statement<AttemptRow>(
  `SELECT ${ATTEMPT_COLUMNS} FROM webhook_attempt WHERE guild_no = $1 AND webhook_id = $2
   ORDER BY at DESC, attempt_id DESC LIMIT ${ATTEMPTS_KEPT_MAX}`,
);
const FIND_ATTEMPT = statement<WholeAttemptRow>(
  `SELECT ${ATTEMPT_COLUMNS}, payload, answer FROM webhook_attempt
   WHERE guild_no = $1 AND webhook_id = $2 AND attempt_id = $3`,
);
const FIND_DUE = statement<RetryRow>(
  `SELECT ${RETRY_COLUMNS} FROM webhook_retry WHERE guild_no = $1 AND webhook_id = $2 AND next_at <= $3
   ORDER BY next_at, event_id LIMIT $4`,
);
const COUNT_WAITING = statement<{ waiting: number }>(
  'SELECT count(*) AS waiting FROM webhook_retry WHERE guild_no = $1 AND webhook_id = $2',
);
const FIND_SEALED = statement<SealedWebhookRow>(
  `SELECT ${SEALED_WEBHOOK_COLUMNS} FROM webhook WHERE (guild_no, webhook_id) > ($1, $2)
   ORDER BY guild_no, webhook_id LIMIT $3`,
);
const reseal = (column: string) =>
  statement<WebhookRef>(
    `UPDATE webhook SET ${column} = $1 WHERE guild_no = $2 AND webhook_id = $3 AND ${column} = $4
     RETURNING guild_no AS "guildNo", webhook_id AS "webhookId"`,
  );
const RESEALS = {
  sealedUrl: reseal(SEALED_COLUMNS.sealedUrl),
  sealedSecret: reseal(SEALED_COLUMNS.sealedSecret),
  sealedOldSecret: reseal(SEALED_COLUMNS.sealedOldSecret),
};

interface Resealed extends WebhookRef {
  field: SealedField;
  from: string;
  to: string;
}

/** A result that cannot be written must not break off the deliveries whose results are written with it. */
function aloneAfterDefect(error: unknown): 'locked' {
  if (error instanceof DomainError) {
    throw error;
  }
  return 'locked';
}

const laneOf = ({ webhookId }: { webhookId: string }) => `webhook ${webhookId}`;

export const WEBHOOK_WRITES = {
  // Audited writes of one guild run one at a time.
  insertWebhook: inLane(({ webhook }: WebhookInsert) => `guild ${webhook.guild.guildNo}`, insertWebhook),
  updateWebhook: inGuildLane(updateWebhook),
  deleteWebhook: inGuildLane(deleteWebhook),
  resealWebhook: inOneStatement(
    ({ field }: Resealed) => RESEALS[field],
    ({ to, guildNo, webhookId, from }) => [to, guildNo, webhookId, from],
    (row) => row !== undefined,
  ),
  claimWebhooks: inLane((_: WebhookLease) => 'webhook leases', claimWebhooks),
  recordDeliveries: inGroup(recordDeliveries),
  recordDelivery: inLane((progress: DeliveryProgress) => laneOf(progress), recordDelivery),
  addWebhookAttempt: inLane(laneOf, addAttempt),
  rewindWebhook: inLane(laneOf, rewindWebhook),
  enqueueWebhook: inLane(laneOf, enqueueWebhook),
  ...WAKING_WRITES,
};

/** An endpoint whose guild's server does not answer is not claimed for this long, so that it takes no other endpoint's place. */
const UNREACHABLE_MS = 5_000;

export interface WebhookStoreParts {
  engine: Engine<typeof WEBHOOK_WRITES>;
  moved: MovedGuilds;
}

export function createWebhookStore({ engine, moved }: WebhookStoreParts): WebhookStore {
  const { read, write, divideByServer } = engine;
  const wake = createWaker({ engine, moved });
  const readEnds = createEndsReader(engine);
  return {
    insert: async (webhook, change) => toWebhook(await write('insertWebhook', { webhook, change })),
    list: async ({ guildNo }) => (await read.all(FIND_ALL, [guildNo])).map(toWebhook),
    listByKey: async (keyId) => (await read.all(FIND_BY_KEY, [keyId])).map(toWebhook),
    async find({ guildNo }, webhookId) {
      const row = await read.first(FIND, [guildNo, webhookId]);
      return row && toWebhook(row);
    },
    async update({ guildNo }, webhookId, wanted, change) {
      const row = await write('updateWebhook', { guildNo, webhookId, wanted, change });
      return row === undefined || row === 'changed' ? row : toWebhook(row);
    },
    delete: ({ guildNo }, webhookId, change) => write('deleteWebhook', { guildNo, webhookId, change }),
    attempts: async ({ guildNo }, webhookId) =>
      (await read.all(FIND_ATTEMPTS, [guildNo, webhookId])).map(toAttempt),
    async attempt({ guildNo }, webhookId, attemptId) {
      const row = await read.first(FIND_ATTEMPT, [guildNo, webhookId, attemptId]);
      return row && toWholeAttempt(row);
    },
    addAttempt: ({ guildNo }, webhookId, attempt) =>
      write('addWebhookAttempt', { guildNo, webhookId, attempt }),
    rewind: ({ guildNo }, webhookId, sinceMs) => write('rewindWebhook', { guildNo, webhookId, sinceMs }),
    enqueue: ({ guildNo }, webhookId, retry) => write('enqueueWebhook', { guildNo, webhookId, retry }),
    async claim(claim) {
      const { holder, nowMs, untilMs } = claim;
      await wake(nowMs);
      const found = await findWork(read, claim);
      const servers = divideByServer(found.map(({ guildNo }) => guildNo));
      const down = new Set(servers.flatMap(({ guildNos, isUp }) => (isUp ? [] : guildNos)));
      const work = found.filter(({ guildNo }) => !down.has(guildNo));
      const unreachable = found.filter(({ guildNo }) => down.has(guildNo));
      // Most claims find nothing and need no write.
      if (unreachable.length > 0) {
        await write('claimWebhooks', { work: unreachable, holder, nowMs, untilMs: nowMs + UNREACHABLE_MS });
      }
      return work.length === 0
        ? []
        : (await write('claimWebhooks', { work, holder, nowMs, untilMs })).map(toWebhook);
    },
    due: async ({ guildNo }, webhookId, { nowMs, limit }) =>
      (await read.all(FIND_DUE, [guildNo, webhookId, nowMs, limit])).map(toRetry),
    countWaiting: async ({ guildNo }, webhookId) =>
      (await read.first(COUNT_WAITING, [guildNo, webhookId]))?.waiting ?? 0,
    async record(progress) {
      // Disabling an endpoint locks the guild's audit log, for which results of other guilds must not wait.
      const outcome =
        progress.disabledReason === undefined
          ? await write('recordDeliveries', progress).catch(aloneAfterDefect)
          : 'locked';
      return outcome === 'locked' ? write('recordDelivery', progress) : outcome;
    },
    // Guild numbers begin with 1, so 0 comes before all of them.
    readSealed: async ({ after, limit }) =>
      (await read.all(FIND_SEALED, [after?.guildNo ?? 0, after?.webhookId ?? '', limit])).map(
        toSealedWebhook,
      ),
    reseal: ({ guildNo, webhookId }, value) => write('resealWebhook', { guildNo, webhookId, ...value }),
    ends: ({ guildNo }) => readEnds(guildNo),
  };
}
