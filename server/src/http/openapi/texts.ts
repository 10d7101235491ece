/** The texts of the OpenAPI document that belong to no single endpoint. */

export const INTRODUCTION = `Bots and game servers read a guild's discharge and transfer records, look up verified users, list the bot's commands, and post and list ledger transactions.

## Keys

Send your key in the header \`x-api-key\`. A key belongs to exactly one guild, carries scopes and expires. Another guild's data does not exist for it.

| Scope | Allows |
|---|---|
| \`guild:read\` | reading discharges, transfers and ledger transactions |
| \`guild:write\` | posting ledger transactions |
| \`users:read\` | looking up verified users |
| \`records:write\` | writing and deleting discharges and transfers |
| \`webhooks:manage\` | having events delivered to an address |

## Amounts

Amounts are exact decimals with at most four places. What cannot be kept exactly is refused, never rounded.

## Errors

Errors carry a \`message\` for people; those of the newer routes also have a \`code\` for programs. Every answer has an \`X-Request-Id\`: name it when you ask for help.

## Query parameters

The six specified endpoints ignore query parameters that they do not know and list their names in the header \`X-Unknown-Parameters\`. All other routes refuse them with 400.

## Texts

Texts are UTF-8. Control characters, lone surrogates and marks that change the direction of writing are refused.`;

export const TAGS = [
  { name: 'Records', description: 'Discharges and transfers of a guild.' },
  { name: 'Users', description: 'Verified users: which chat account is which game account.' },
  { name: 'Commands', description: "The bot's command catalogue." },
  { name: 'Key', description: 'The key that a request carries.' },
  { name: 'Ledger', description: 'Deposits and withdrawals of the players of a guild.' },
  { name: 'Webhooks', description: 'Events sent to an address of yours, so that you need not poll.' },
  {
    name: 'Bot',
    description:
      "For the operator's own bot, which feeds records in for all guilds. These paths exist only where `BOT_TOKEN` is set. " +
      'All writes may be repeated safely, and each is in the audit log.',
  },
];

export const RESPONSE_HEADERS = {
  'X-Request-Id': {
    description: 'Identifies this answer in the logs.',
    schema: { type: 'string' },
    example: 'q1ZrT0aB-2f',
  },
  'X-Unknown-Parameters': {
    description:
      'Present when the query string has parameters that this endpoint does not know: their names, separated by commas. They ' +
      'were ignored, so a misspelt filter did not filter. At most ten names of 64 characters are listed, and a character other ' +
      'than letters, digits and `_.~-` is shown as `?`.',
    schema: { type: 'string' },
    example: 'source',
  },
  'Retry-After': {
    description: 'Whole seconds to wait before trying again.',
    schema: { type: 'integer' },
    example: 1,
  },
};

export const RATE_LIMIT_HEADERS = {
  'X-RateLimit-Limit': {
    description:
      'Requests allowed in any window: of one second, or of the length that the settings of the key set for the route. A route without ' +
      'a limit sends these headers only to keys whose settings limit it.',
    schema: { type: 'integer' },
    example: 10,
  },
  'X-RateLimit-Remaining': {
    description: 'Requests left right now.',
    schema: { type: 'integer' },
    example: 9,
  },
  'X-RateLimit-Reset-After': {
    description: 'Seconds until the next place is free, with milliseconds.',
    schema: { type: 'number' },
    example: 0.734,
  },
};
