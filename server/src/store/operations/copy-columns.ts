/** The columns of a guild, with the kinds of value that are copied. */
export const GUILD_COLUMNS = {
  guild_no: 'number',
  guild_id: 'text',
  name: 'text',
  icon: 'text',
  owner_chat_id: 'text',
  plan: 'text',
  plan_until: 'number',
  overdraft_allowed: 'flag',
  currency_name: 'text',
  currency_symbol: 'text',
  decimals_shown: 'number',
  time_zone: 'text',
  created_at: 'number',
  seal_public: 'flag',
  own_accounts: 'flag',
  language: 'text',
} as const;

/** The columns of a webhook. */
export const WEBHOOK_COLUMNS = {
  guild_no: 'number',
  webhook_id: 'text',
  kind: 'text',
  url: 'text',
  sealed_url: 'text',
  events: 'text',
  filter: 'text',
  status: 'text',
  disabled_reason: 'text',
  sealed_secret: 'text',
  sealed_old_secret: 'text',
  old_secret_until: 'number',
  created_at: 'number',
  generation: 'number',
  follows_feed: 'flag',
  follows_audit: 'flag',
  follows_people: 'flag',
  feed_number: 'number',
  audit_entry_no: 'number',
  people_entry_no: 'number',
  failing_since: 'number',
  announced_keys: 'text',
  check_at: 'number',
  summary_at: 'number',
  retry_at: 'number',
  lease_holder: 'text',
  lease_until: 'number',
  key_id: 'text',
  due_at: 'number',
  name: 'text',
} as const;

/** The columns of a key. */
export const KEY_COLUMNS = {
  key_no: 'number',
  key_id: 'text',
  guild_no: 'number',
  hash: 'text',
  prefix: 'text',
  name: 'text',
  scopes: 'text',
  created_by: 'text',
  created_at: 'number',
  expires_at: 'number',
  last_used_at: 'number',
  deleted_at: 'number',
  note: 'text',
  networks: 'text',
  route_limits: 'text',
  keeps_all_until: 'number',
  refusals_noted_hour: 'number',
} as const;

/** The columns of a key's request. */
export const REQUEST_COLUMNS = {
  guild_no: 'number',
  key_no: 'number',
  at: 'number',
  request_id: 'text',
  method: 'text',
  route: 'text',
  path: 'text',
  status: 'number',
  code: 'text',
  message: 'text',
  duration_ms: 'number',
  address: 'text',
  user_agent: 'text',
  is_of_all: 'number',
} as const;

/** The columns of an invitation. */
export const INVITATION_COLUMNS = {
  guild_no: 'number',
  invitation_id: 'text',
  token_hash: 'text',
  role: 'text',
  uses_left: 'number',
  created_by: 'text',
  created_at: 'number',
  expires_at: 'number',
} as const;

/** The columns of a guild's settings for the chat. */
export const GUILD_CHAT_COLUMNS = {
  guild_no: 'number',
  commands_off: 'text',
  members_pay: 'flag',
  pay_day_max: 'number',
  balances_shown: 'flag',
} as const;

/** The columns of a guild's board. */
export const GUILD_BOARD_COLUMNS = {
  guild_no: 'number',
  name: 'text',
  is_published: 'flag',
  shows_names: 'flag',
  shows_leaderboard: 'flag',
  shows_totals: 'flag',
  shows_chart: 'flag',
  moves_min: 'number',
  shows_commands: 'flag',
} as const;

/** The columns of the limits of a key. */
export const KEY_LIMIT_COLUMNS = {
  guild_no: 'number',
  key_no: 'number',
  amount_max: 'number',
  withdrawn_per_day_max: 'number',
  day: 'number',
  withdrawn: 'number',
} as const;
