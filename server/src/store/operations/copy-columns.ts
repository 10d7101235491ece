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
  created_at: 'number',
} as const;
