/** Names and bounds of keys, for the rules and for the schemas of the interface. */

/** The permissions that a key can have. */
export const SCOPES = [
  'guild:read',
  'guild:write',
  'users:read',
  'records:write',
  'webhooks:manage',
] as const;

/** The routes that take a key, by their names in the OpenAPI document. */
export const KEY_ROUTES = [
  'getDischarge',
  'getTransfer',
  'getVerification',
  'postTransaction',
  'listTransactions',
  'getAccount',
  'listAccounts',
  'listHistory',
  'getTransaction',
  'readFeed',
  'postBatch',
  'postReversal',
  'postReversals',
  'postPayment',
  'getSeal',
  'getReceipt',
  'getConsistency',
  'listDischargeRecords',
  'postDischargeRecord',
  'getDischargeRecord',
  'putDischargeRecord',
  'deleteDischargeRecord',
  'listTransferRecords',
  'postTransferRecord',
  'getTransferRecord',
  'putTransferRecord',
  'deleteTransferRecord',
  'getKey',
  'deleteKey',
  'getKeyUsage',
  'listKeyRequests',
  'listWebhooks',
  'createWebhook',
  'getWebhook',
  'putWebhook',
  'deleteWebhook',
  'testWebhook',
  'replayWebhook',
  'rotateWebhook',
] as const;

/** The use of a key is kept for this number of days, today included. */
export const USAGE_DAYS_MAX = 90;

/** The longest time for which a key may keep all of its requests. */
export const KEEP_ALL_HOURS_MAX = 24;

/** A limiter stores the time of every counted request, so a limit needs an upper bound. */
export const ROUTE_LIMIT_MAX = 1_000;
