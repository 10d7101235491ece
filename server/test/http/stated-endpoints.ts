/** The endpoints of the interface, each with the statuses that its answers can have. */
export const STATED = [
  {
    path: '/guild/discharges/{dischargeId}',
    method: 'get',
    statuses: [200, 400, 401, 403, 404, 408, 417, 429, 431, 500, 503],
  },
  {
    path: '/guild/transfers/{transferId}',
    method: 'get',
    statuses: [200, 400, 401, 403, 404, 408, 417, 429, 431, 500, 503],
  },
  {
    path: '/users/{query}',
    method: 'get',
    statuses: [200, 400, 401, 403, 404, 408, 417, 429, 431, 500, 503],
  },
  { path: '/commands', method: 'get', statuses: [200, 400, 401, 408, 417, 429, 431, 500, 503] },
  {
    path: '/guild/ledger',
    method: 'post',
    statuses: [200, 400, 401, 403, 408, 413, 415, 417, 422, 429, 431, 500, 503],
  },
  {
    path: '/guild/ledger/{playerId}/transactions',
    method: 'get',
    statuses: [200, 400, 401, 403, 408, 417, 429, 431, 500, 503],
  },
];

/** Ledger operations that the interface does not list. */
export const ADDED = [
  'get /guild/accounts',
  'get /guild/accounts/{playerId}',
  'get /guild/feed',
  'get /guild/transactions',
  'get /guild/transactions/{transactionId}',
  'post /guild/payments',
  'get /guild/seal',
  'get /guild/seal/consistency',
  'get /guild/transactions/{transactionId}/receipt',
  'post /guild/reversals',
  'post /guild/transactions',
  'post /guild/transactions/{transactionId}/reversal',
  ...['discharges', 'transfers'].flatMap((kind) => [
    `get /guild/records/${kind}`,
    `post /guild/records/${kind}`,
    `get /guild/records/${kind}/{id}`,
    `put /guild/records/${kind}/{id}`,
    `delete /guild/records/${kind}/{id}`,
  ]),
  'get /guild/key',
  'delete /guild/key',
  'get /guild/key/requests',
  'get /guild/key/usage',
  'delete /guild/webhooks/{webhookId}',
  'get /guild/webhooks',
  'get /guild/webhooks/{webhookId}',
  'post /guild/webhooks',
  'post /guild/webhooks/{webhookId}/replay',
  'post /guild/webhooks/{webhookId}/rotate',
  'post /guild/webhooks/{webhookId}/test',
  'put /guild/webhooks/{webhookId}',
];
