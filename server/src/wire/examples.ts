/** The records of the documentation's examples. The demo has them too, so that its first request finds them. */

export const EXAMPLE_DISCHARGE = {
  id: 'dis_6xpdgh1cpv',
  guildId: '1491363316481801678',
  chatId: '1186729695220320980',
  playerId: '640478151',
  name: 'thorntender16',
  reason: 'Service complete. Awarded the Silver Lantern for conduct during the winter siege.',
  date: '2024-11-23',
  type: 'honourable',
  from: 'Outriders',
  signed: 'NiallTallow',
};

export const EXAMPLE_TRANSFER = {
  id: 'trf_1mdw2y0c9h',
  guildId: '1491363316481801678',
  playerId: '37080977',
  name: 'hungryboar379',
  date: '2024-11-25T18:48:51.000Z',
  from: 'Gatehouse Garrison',
  to: 'River Watch',
  signed: 'NiallTallow',
};

export const EXAMPLE_PAST_USER = { playerId: '949453257', username: 'marshcarver22' };

export const EXAMPLE_VERIFICATION = {
  chatId: '1394734192123042671',
  playerId: '8206034154',
  username: 'osric_of_saltfen',
  pastUsers: [EXAMPLE_PAST_USER],
};

export const EXAMPLE_COMMAND = {
  category: 'Economy',
  name: 'balance',
  description: 'Shows how much you have.',
  extendedHelp: 'Usage: /balance [member]\nWithout a member it shows your own.',
  preconditions: ['Verified members only'],
};

export const EXAMPLE_KEY = {
  id: '019a7f00-1f2e-7a3b-8c4d-5e6f708192a3',
  name: 'Shop bot',
  prefix: 'gbk_Zk3vQ9xT',
  guildId: EXAMPLE_DISCHARGE.guildId,
  scopes: ['guild:read', 'guild:write'],
  createdAt: '2026-11-02T09:00:00.000Z',
  expiresAt: '2027-01-31T09:00:00.000Z',
  lastUsedAt: '2026-11-14T20:15:30.123Z',
  limits: { amountMax: null, withdrawnPerDayMax: null },
  routeLimits: [{ route: 'getVerification', limit: 60, per: 'minute' }],
};

export const EXAMPLE_REQUEST = {
  requestId: 'q3VfT0aB-2k',
  at: '2026-11-14T20:15:30.123Z',
  method: 'POST',
  route: 'postTransaction',
  path: '/guild/ledger',
  status: 400,
  code: 'deposit_conflict',
  message: 'Explicit deposit flag conflicts with negative amount (potential exploit detected)',
  durationMs: 1,
  address: '203.0.113.7',
  userAgent: 'shop-bot/2.1',
};

export const EXAMPLE_PLAYER_ID = '67744629';

export const EXAMPLE_TRANSACTION = {
  transactionId: '019a7f4c-52e1-7c3b-9d0e-6f1f2a8b4c5d',
  amount: 12.5,
  quantity: 3,
  name: 'Iron Ingot',
  source: 'shop',
  total: 37.5,
  createdAt: '2026-11-14T20:15:30.123Z',
};

export const EXAMPLE_REVERSAL_ID = '019a7f4d-0c4e-7a11-8f21-3b9c5d7e1f02';
export const EXAMPLE_PAYMENT_ID = '019a7f4d-9b02-7d3c-a5c4-0e1d2f3a4b5c';

export const EXAMPLE_ENTRY = {
  ...EXAMPLE_TRANSACTION,
  playerId: EXAMPLE_PLAYER_ID,
  number: 1042,
  balanceAfter: 1280.75,
  type: 'deposit',
  reverses: null,
  reversedBy: null,
  paymentId: null,
  reference: 'order-2026-0001',
  metadata: { channel: 'market' },
  postedBy: { kind: 'key', id: EXAMPLE_KEY.id, name: EXAMPLE_KEY.name },
};

export const EXAMPLE_ACCOUNT = {
  playerId: EXAMPLE_PLAYER_ID,
  balance: 1280.75,
  transactionCount: 87,
  lastTransactionAt: EXAMPLE_TRANSACTION.createdAt,
};

export const EXAMPLE_WEBHOOK = {
  id: '019a8001-2c3d-7e4f-8a5b-6c7d8e9f0a1b',
  name: 'Shop bot',
  url: 'https://example.org/guildbook',
  kind: 'standard',
  events: ['transaction.posted', 'balance.below'],
  filter: { source: 'shop', balanceBelow: 0 },
  status: 'active',
  unreadable: null,
  createdAt: '2026-11-14T20:15:30.123Z',
};

export const EXAMPLE_WEBHOOK_SECRET = 'whsec_C2FVsBQIhrscChlQIMV+b5sSYspob7oDU0uS9mZxhhM=';
export const EXAMPLE_EVENT_ID = 'evt_5d41402abc4b_t1042';

export const EXAMPLE_ATTEMPT = {
  id: '019a8002-5e6f-7a8b-9c0d-1e2f3a4b5c6d',
  eventId: EXAMPLE_EVENT_ID,
  type: 'transaction.posted',
  at: '2026-11-14T20:15:30.456Z',
  status: 200,
  durationMs: 42,
  error: null,
};
