import {
  ADDRESSED,
  always,
  DISCHARGE,
  ENTRY_FIELDS,
  POST,
  type Step,
  TRANSACTION,
  TRANSFER,
  WEBHOOK,
  WEBHOOK_FIELDS,
} from './changing-step.ts';
import { dashboardSteps, dashboardWebhookSteps } from './dashboard-changing-steps.ts';

/** A request for every route that reads a body, in an order in which each is answered with 200. */
export function changingSteps(): Step[] {
  // Webhooks come last: their deliveries take ids at any time, and other steps compare ids.
  return [
    ...[...ledgerSteps(), ...recordSteps(), ...botSteps(), ...dashboardSteps()],
    ...[...webhookSteps(), ...dashboardWebhookSteps()],
  ];
}

function ledgerSteps(): Step[] {
  const posted = (data: { results: { transactionId: string }[] }) => ({
    first: data.results[0]?.transactionId ?? '',
    second: data.results[1]?.transactionId ?? '',
    third: data.results[2]?.transactionId ?? '',
  });
  return [
    {
      route: 'POST /guild/ledger',
      path: always('/guild/ledger'),
      body: always(TRANSACTION),
      headers: { 'idempotency-key': 'order-1' },
      named: ['deposit', 'withdrawal'],
    },
    {
      route: 'POST /guild/transactions',
      path: always('/guild/transactions'),
      body: always({ atomic: true, transactions: [TRANSACTION, TRANSACTION, TRANSACTION] }),
      named: ENTRY_FIELDS,
      keep: posted,
    },
    {
      route: 'POST /guild/payments',
      path: always('/guild/payments'),
      body: always({
        ...POST,
        quantity: undefined,
        fromPlayerId: 'p1',
        toPlayerId: 'p2',
        metadata: { a: 'b' },
      }),
      named: ['reference'],
      isFree: ['metadata'],
    },
    {
      route: 'POST /guild/transactions/{transactionId}/reversal',
      path: ({ first }) => `/guild/transactions/${first}/reversal`,
      body: always({ reason: 'Paid twice' }),
    },
    {
      route: 'POST /guild/reversals',
      path: always('/guild/reversals'),
      body: ({ second = '' }) => ({ transactionIds: [second], reason: 'Paid twice' }),
    },
  ];
}

function recordSteps(): Step[] {
  return [['discharges', DISCHARGE, []] as const, ['transfers', TRANSFER, ['type']] as const].flatMap(
    ([kind, record, refused]) => [
      {
        route: `PUT /guild/records/${kind}/{id}`,
        path: always(`/guild/records/${kind}/one`),
        body: always(record),
        named: [...ADDRESSED, ...refused],
      },
      {
        route: `POST /guild/records/${kind}`,
        path: always(`/guild/records/${kind}`),
        body: always(record),
        named: [...ADDRESSED, ...refused],
      },
    ],
  );
}

function webhookSteps(): Step[] {
  return [
    {
      route: 'POST /guild/webhooks',
      path: always('/guild/webhooks'),
      body: always(WEBHOOK),
      named: WEBHOOK_FIELDS,
      keep: (data) => ({ webhook: data.webhook.id }),
    },
    {
      route: 'PUT /guild/webhooks/{webhookId}',
      path: ({ webhook }) => `/guild/webhooks/${webhook}`,
      body: always({ events: ['transaction.posted', 'discharge.created'] }),
      named: [...WEBHOOK_FIELDS, 'url', 'kind'],
    },
    {
      route: 'POST /guild/webhooks/{webhookId}/replay',
      path: ({ webhook }) => `/guild/webhooks/${webhook}/replay`,
      body: always({ since: '2026-06-14T00:00:00.000Z' }),
      named: ['eventId'],
    },
  ];
}

function botSteps(): Step[] {
  const guild = '/bot/guilds/1491363316481801678';
  return [
    {
      route: 'PUT /bot/guilds/{guildId}',
      path: always(guild),
      body: always({ name: 'Renamed' }),
      named: ['guildId', 'icon', 'ownerChatId', 'plan', 'planUntil', 'settings', 'overdraftAllowed'],
    },
    ...(['discharges', 'transfers'] as const).flatMap((kind) => {
      const record = kind === 'discharges' ? DISCHARGE : TRANSFER;
      const id = kind === 'discharges' ? 'dischargeId' : 'transferId';
      return [
        {
          route: `PUT /bot/guilds/{guildId}/${kind}/{${id}}`,
          path: always(`${guild}/${kind}/two`),
          body: always(record),
          named: ADDRESSED,
        },
        {
          route: `POST /bot/guilds/{guildId}/${kind}`,
          path: always(`${guild}/${kind}`),
          body: always(record),
          named: ADDRESSED,
        },
      ];
    }),
    {
      route: 'PUT /bot/users/{chatId}',
      path: always('/bot/users/7'),
      body: always({ playerId: 'p1', username: 'rowan', pastUsers: [{ playerId: 'p0', username: 'r' }] }),
      named: ['chatId'],
    },
    {
      route: 'PUT /bot/commands',
      path: always('/bot/commands'),
      body: always([
        { category: 'Economy', name: 'pay', description: 'Pays.', extendedHelp: '/pay', preconditions: [] },
      ]),
    },
  ];
}
