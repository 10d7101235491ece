import { t } from '@lingui/core/macro';
import type { ApiKey } from '../api/keys.ts';

export type RouteLimit = ApiKey['routeLimits'][number];
export type KeyRoute = RouteLimit['route'];

/** A limit as typed into the form. */
export interface RouteLimitValue extends Omit<RouteLimit, 'limit'> {
  limit: string;
}

const limitMax = 1_000;

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

// The object above is a literal, so its keys are exactly the routes.
export const keyRoutes = Object.keys(routeTexts) as KeyRoute[];

export function routeLimitText({ route, limit, per }: RouteLimit): string {
  return per === 'second'
    ? t`${routeTexts[route]}: ${limit} per second`
    : t`${routeTexts[route]}: ${limit} per minute`;
}

/** The routes that an entered limit may use: its own, and those without another limit. */
export function freeRoutes(values: readonly RouteLimitValue[], own?: RouteLimitValue): KeyRoute[] {
  return keyRoutes.filter((route) => route === own?.route || values.every((value) => value.route !== route));
}

export function routeLimitsFault(values: readonly RouteLimitValue[]): string | null {
  const bad = values.find(({ limit }) => !/^\d{1,4}$/.test(limit.trim()) || !isInRange(Number(limit)));
  return bad === undefined ? null : t`${routeTexts[bad.route]}: give a number from 1 to ${limitMax}`;
}

function isInRange(limit: number): boolean {
  return limit >= 1 && limit <= limitMax;
}

/** For people who may only tighten a key. The service compares seconds with minutes. */
export function routeLimitsLoosening(
  values: readonly RouteLimitValue[],
  present: readonly RouteLimit[],
): string | null {
  const raised = present.find(({ route, limit, per }) => {
    const next = values.find((value) => value.route === route);
    return next === undefined || (next.per === per && Number(next.limit) > limit);
  });
  return raised === undefined ? null : t`You may only lower the limit of ${routeTexts[raised.route]}`;
}
