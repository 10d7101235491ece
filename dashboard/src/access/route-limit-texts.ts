import { t } from '@lingui/core/macro';
import type { ApiKey } from '../api/keys.ts';

export type RouteLimit = ApiKey['routeLimits'][number];
export type KeyRoute = RouteLimit['route'];

/** Every route that accepts a key, as written in the documentation. */
export const routeTexts: Record<KeyRoute, string> = {
  getDischarge: 'GET /guild/discharges/{dischargeId}',
  getTransfer: 'GET /guild/transfers/{transferId}',
  getVerification: 'GET /users/{query}',
  postTransaction: 'POST /guild/ledger',
  listTransactions: 'GET /guild/ledger/{playerId}/transactions',
  getAccount: 'GET /guild/accounts/{playerId}',
  listAccounts: 'GET /guild/accounts',
  listHistory: 'GET /guild/transactions',
  postBatch: 'POST /guild/transactions',
  getTransaction: 'GET /guild/transactions/{transactionId}',
  readFeed: 'GET /guild/feed',
  postReversal: 'POST /guild/transactions/{transactionId}/reversal',
  postReversals: 'POST /guild/reversals',
  postPayment: 'POST /guild/payments',
  getSeal: 'GET /guild/seal',
  getReceipt: 'GET /guild/transactions/{transactionId}/receipt',
  getConsistency: 'GET /guild/seal/consistency',
  listDischargeRecords: 'GET /guild/records/discharges',
  postDischargeRecord: 'POST /guild/records/discharges',
  getDischargeRecord: 'GET /guild/records/discharges/{id}',
  putDischargeRecord: 'PUT /guild/records/discharges/{id}',
  deleteDischargeRecord: 'DELETE /guild/records/discharges/{id}',
  listTransferRecords: 'GET /guild/records/transfers',
  postTransferRecord: 'POST /guild/records/transfers',
  getTransferRecord: 'GET /guild/records/transfers/{id}',
  putTransferRecord: 'PUT /guild/records/transfers/{id}',
  deleteTransferRecord: 'DELETE /guild/records/transfers/{id}',
  getKey: 'GET /guild/key',
  deleteKey: 'DELETE /guild/key',
  getKeyUsage: 'GET /guild/key/usage',
  listKeyRequests: 'GET /guild/key/requests',
  listWebhooks: 'GET /guild/webhooks',
  createWebhook: 'POST /guild/webhooks',
  getWebhook: 'GET /guild/webhooks/{webhookId}',
  putWebhook: 'PUT /guild/webhooks/{webhookId}',
  deleteWebhook: 'DELETE /guild/webhooks/{webhookId}',
  testWebhook: 'POST /guild/webhooks/{webhookId}/test',
  replayWebhook: 'POST /guild/webhooks/{webhookId}/replay',
  rotateWebhook: 'POST /guild/webhooks/{webhookId}/rotate',
};

export function routeLimitText({ route, limit, per }: RouteLimit): string {
  return per === 'second'
    ? t`${routeTexts[route]}: ${limit} per second`
    : t`${routeTexts[route]}: ${limit} per minute`;
}

/** The limits of a text of the service, such as `getVerification=60/minute getTransfer=5/second`, each in words. */
export function routeLimitTexts(text: string): string[] {
  return text.split(' ').map((part) => {
    const [, name, limit, per] = /^(\w+)=(\d+)\/(second|minute)$/.exec(part) ?? [];
    if (name === undefined || !isRoute(name)) return part;
    return routeLimitText({ route: name, limit: Number(limit), per: per === 'second' ? 'second' : 'minute' });
  });
}

function isRoute(name: string): name is KeyRoute {
  return Object.hasOwn(routeTexts, name);
}
