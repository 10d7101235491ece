/** Ids that earlier answers have named. */
export type Ids = Record<string, string>;

export interface Step {
  /** Method and path as the endpoint's definition has them; those of the dashboard begin below the guild. */
  route: string;
  path(ids: Ids): string;
  body(ids: Ids): unknown;
  headers?: Record<string, string>;
  /** Names that the schema of the body knows beside those of this body. */
  named?: readonly string[];
  /** Objects of the body whose names are free, such as metadata. */
  isFree?: readonly string[];
  // biome-ignore lint/suspicious/noExplicitAny: answers have the shape that is tested elsewhere
  keep?(data: any): Ids;
}

const POST = { name: 'Iron Ingot', quantity: 2, amount: 12.5, source: 'shop' };
const TRANSACTION = { ...POST, playerId: 'p1' };
const ENTRY_FIELDS = ['deposit', 'withdrawal', 'reference', 'metadata', 'idempotencyKey'];
const DISCHARGE = {
  chatId: '7',
  playerId: 'p1',
  name: 'Rowan',
  reason: 'Moved',
  date: '2026-03-04',
  type: 'honourable',
  from: 'A',
  signed: 'K',
};
const TRANSFER = {
  playerId: 'p1',
  name: 'Rowan',
  date: '2026-03-04T05:06:07.000Z',
  from: 'A',
  to: 'B',
  signed: 'K',
};
const ADDRESSED = ['id', 'guildId'];
const WEBHOOK = { url: 'http://127.0.0.1:9/hook', kind: 'standard', events: ['transaction.posted'] };
const WEBHOOK_FIELDS = ['filter', 'status', 'secret'];

const always =
  <Value>(value: Value) =>
  () =>
    value;

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

function dashboardSteps(): Step[] {
  const expiresAt = (days: number) => new Date(Date.UTC(2026, 5, 15 + days)).toISOString();
  return [
    {
      route: 'PUT preferences',
      path: always('../../preferences'),
      body: always({ density: 'compact', views: [{ guildId: 'g', name: 'mine', search: 'a=b' }] }),
      named: ['timeZone', 'hiddenColumns'],
    },
    {
      route: 'POST keys',
      path: always('keys'),
      body: always({ name: 'bot', scopes: ['guild:read'], expiresAt: expiresAt(30) }),
      keep: (data) => ({ key: data.id }),
    },
    {
      route: 'PUT keys/{keyId}',
      path: ({ key }) => `keys/${key}`,
      body: always({ name: 'renamed' }),
      named: ['note', 'networks', 'limits'],
    },
    {
      route: 'POST keys/{keyId}/rotation',
      path: ({ key }) => `keys/${key}/rotation`,
      body: always({ overlapHours: 1 }),
    },
    ...(['discharges', 'transfers'] as const).flatMap((kind) => dashboardRecordSteps(kind)),
    {
      route: 'POST players/{playerId}/transactions',
      path: always('players/p1/transactions'),
      body: always({ name: 'Correction', quantity: 1, amount: -1 }),
      named: ['deposit', 'withdrawal', 'overdraft', 'corrects'],
    },
    {
      route: 'POST transactions/{transactionId}/reversal',
      path: ({ third }) => `transactions/${third}/reversal`,
      body: always({ reason: 'Paid twice' }),
      named: ['force'],
    },
    { route: 'PUT players/{playerId}/floor', path: always('players/p1/floor'), body: always({ floor: -5 }) },
    {
      route: 'PUT settings',
      path: always('settings'),
      body: always({ currencyName: 'gold' }),
      named: ['currencySymbol', 'decimalsShown', 'overdraftAllowed', 'name', 'icon'],
    },
    {
      route: 'PUT people/{playerId}/verification',
      path: always('people/p2/verification'),
      body: always({ chatId: '8', username: 'wren' }),
    },
    {
      route: 'PUT roles/chat-roles/{chatRoleId}',
      path: always('roles/chat-roles/55'),
      body: always({ name: 'Treasurers', role: 'treasurer' }),
    },
    {
      route: 'PUT roles/people/{chatId}',
      path: always('roles/people/103'),
      body: always({ role: 'viewer' }),
    },
  ];
}

function dashboardWebhookSteps(): Step[] {
  return [
    {
      route: 'POST webhooks',
      path: always('webhooks'),
      body: always(WEBHOOK),
      named: WEBHOOK_FIELDS,
      keep: (data) => ({ hook: data.webhook?.id ?? data.id }),
    },
    {
      route: 'PUT webhooks/{webhookId}',
      path: ({ hook }) => `webhooks/${hook}`,
      body: always({ status: 'active' }),
      named: [...WEBHOOK_FIELDS, 'url', 'kind', 'events'],
    },
    {
      route: 'POST webhooks/{webhookId}/replay',
      path: ({ hook }) => `webhooks/${hook}/replay`,
      body: always({ since: '2026-06-14T00:00:00.000Z' }),
      named: ['eventId'],
    },
    {
      route: 'POST webhooks/{webhookId}/rotate',
      path: ({ hook }) => `webhooks/${hook}/rotate`,
      body: always({}),
    },
    {
      route: 'POST webhooks/{webhookId}/test',
      path: ({ hook }) => `webhooks/${hook}/test`,
      body: always({}),
    },
  ];
}

function dashboardRecordSteps(kind: 'discharges' | 'transfers'): Step[] {
  const record = kind === 'discharges' ? DISCHARGE : TRANSFER;
  const id = kind === 'discharges' ? 'dischargeId' : 'transferId';
  return [
    { route: `POST ${kind}`, path: always(kind), body: always(record), named: ['id'] },
    {
      route: `POST ${kind}/import`,
      path: always(`${kind}/import`),
      body: always({ records: [record] }),
      named: ['id'],
    },
    { route: `PUT ${kind}/{${id}}`, path: always(`${kind}/one`), body: always({ ...record, name: 'Wren' }) },
  ];
}
