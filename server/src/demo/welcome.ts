import { commandLine } from '../command-name.ts';
import type { Config } from '../config.ts';
import type { DemoNotes } from './notes.ts';
import type { SignInPerson } from './sample-data/sign-in-people.ts';

/** The addresses and the token that the text shows. */
export interface Places {
  address: string;
  channelUrl: string;
  /** The public page of the sample guild, unless it is switched off. */
  boardUrl: string | undefined;
  botToken: string;
}

/** The text that `guildbook demo` prints once it serves. */
export function welcome(
  { address, channelUrl, boardUrl, botToken }: Places,
  notes: DemoNotes,
  people: readonly SignInPerson[],
): string {
  const { key, guildName, playerId, username } = notes;
  const post = `{"playerId":"${playerId}","name":"Iron Ingot","quantity":3,"amount":12.5,"source":"shop"}`;
  return `
Guildbook is running with sample data.

  Dashboard  ${address}/dashboard/
  Reference  ${address}/docs${boardUrl === undefined ? '' : `\n  Board      ${boardUrl}`}
  Channel    ${channelUrl}
             (a chat channel: use Guildbook's commands there, and see what its webhooks report)
  Demo key   ${key}
             (opens ${guildName}, all scopes)
  Bot token  ${botToken}
             (for the paths under /bot, which write records of all guilds)

Sign in to the dashboard as one of them:

${people.map((person) => `  ${person.username.padEnd(20)}  ${person.about}`).join('\n')}

Try it:

  curl -H 'x-api-key: ${key}' ${address}/users/${encodeURIComponent(username)}

  curl -H 'x-api-key: ${key}' '${address}/guild/ledger/${playerId}/transactions?limit=3'

  curl -H 'x-api-key: ${key}' -H 'content-type: application/json' -d '${post}' ${address}/guild/ledger

Stop it with Ctrl-C. Everything is kept beside the store.
`;
}

/** The text for a store whose notes, and with them the value of its key, are lost. */
export function plainWelcome({ address, botToken }: Places, { databaseUrl }: Config): string {
  return `
Guildbook is running with sample data. Its demo key is not known any more; to make another key:

  DATABASE_URL=${databaseUrl} ${commandLine('guild list')}
  DATABASE_URL=${databaseUrl} ${commandLine('key create --help')}

  Dashboard  ${address}/dashboard/
  Reference  ${address}/docs
  Bot token  ${botToken}

Stop it with Ctrl-C.
`;
}
