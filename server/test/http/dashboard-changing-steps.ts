import { always, DISCHARGE, type Step, TRANSFER, WEBHOOK, WEBHOOK_FIELDS } from './changing-step.ts';

export function dashboardSteps(): Step[] {
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
      named: ['note', 'networks', 'limits', 'routeLimits'],
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
      keep: (data) => ({ correction: data.transactionId }),
    },
    {
      route: 'POST transactions',
      path: always('transactions'),
      body: always({ transactions: [{ playerId: 'p1', name: 'Prize', quantity: 1, amount: 2 }] }),
      named: ['deposit', 'withdrawal', 'reference', 'overdraft'],
    },
    {
      route: 'POST payments',
      path: always('payments'),
      body: always({ fromPlayerId: 'p1', toPlayerId: 'p2', amount: 1, name: 'Bet' }),
      named: ['overdraft'],
    },
    { route: 'POST recipients', path: always('recipients'), body: always({ texts: ['p1'] }) },
    {
      route: 'POST transactions/{transactionId}/reversal',
      path: ({ third }) => `transactions/${third}/reversal`,
      body: always({ reason: 'Paid twice' }),
      named: ['force'],
    },
    {
      route: 'POST transactions/reversals',
      path: always('transactions/reversals'),
      body: ({ correction }) => ({ transactionIds: [correction] }),
      named: ['reason', 'force'],
    },
    { route: 'PUT players/{playerId}/floor', path: always('players/p1/floor'), body: always({ floor: -5 }) },
    {
      route: 'PUT settings',
      path: always('settings'),
      body: always({ currencyName: 'gold' }),
      named: [
        'currencySymbol',
        'decimalsShown',
        'overdraftAllowed',
        'sealPublic',
        'ownAccounts',
        'timeZone',
        'language',
        'name',
        'icon',
      ],
    },
    {
      route: 'PUT chat',
      path: always('chat'),
      body: always({ commandsOff: ['pay'], membersPay: true, payDayMax: 5, balancesShown: true }),
    },
    {
      route: 'PUT board',
      path: always('board'),
      body: always({
        name: 'the-guild',
        isPublished: true,
        names: true,
        leaderboard: true,
        totals: true,
        chart: true,
        movesMin: 5,
        commands: true,
      }),
    },
    {
      route: 'PUT people/{playerId}/verification',
      path: always('people/p2/verification'),
      body: always({ chatId: '8', username: 'wren' }),
    },
    {
      route: 'POST verifications/import',
      path: always('verifications/import'),
      body: always({ verifications: [{ playerId: 'p1', chatId: '9', username: 'rowan' }] }),
      named: ['overwrite', 'check'],
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
    {
      route: 'POST roles/invitations',
      path: always('roles/invitations'),
      body: always({ role: 'viewer', uses: 2, days: 7 }),
    },
  ];
}

export function dashboardWebhookSteps(): Step[] {
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
      named: ['id', 'overwrite', 'check'],
    },
    { route: `PUT ${kind}/{${id}}`, path: always(`${kind}/one`), body: always({ ...record, name: 'Wren' }) },
  ];
}
