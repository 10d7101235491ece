import type { Command } from 'commander';
import { type ApiKey, SCOPES, type Scope } from '../domain/model.ts';
import { KEY_NAME_LENGTH_MAX, parseExpiry, parseId, parseScopes, parseText } from './arguments.ts';
import { OPERATOR } from './operator.ts';
import { isoTime, printJson, printTable } from './output.ts';
import { withToolbox } from './toolbox.ts';

interface CreateOptions {
  guild: string;
  name: string;
  scopes: Scope[];
  expires: number;
  json?: boolean;
}

export function addKeyCommands(program: Command): void {
  const key = program.command('key').description("create, list and delete guilds' API keys");

  key
    .command('create')
    .description('create a key and show its value, once')
    .requiredOption(
      '--guild <guildId>',
      'the guild it opens; needs an active developer or enterprise plan',
      parseId,
    )
    .requiredOption('--name <name>', 'what it is for', parseText(KEY_NAME_LENGTH_MAX))
    .requiredOption('--scopes <list>', `${SCOPES.join(', ')}, separated by commas`, parseScopes)
    .requiredOption(
      '--expires <when>',
      '90d, 12h, or a date such as 2027-01-31 (UTC)',
      parseExpiry(Date.now()),
    )
    .option('--json', 'print JSON')
    .action(createKey);

  key
    .command('list')
    .description("list a guild's keys")
    .requiredOption('--guild <guildId>', 'the guild', parseId)
    .option('--json', 'print a JSON array')
    .action((options: { guild: string; json?: boolean }, command: Command) => listKeys(options, command));

  key
    .command('delete')
    .description('delete a key; it stops working at once')
    .argument('<keyId>', "the key's id, as listed", parseId)
    .action(deleteKey);
}

async function createKey(options: CreateOptions, command: Command): Promise<void> {
  const { guild, name, scopes, expires, json } = options;
  const { key, value } = await withToolbox(command, 'expect', ({ keys }) =>
    keys.create({ guildId: guild, name, scopes, expiresAtMs: expires }, OPERATOR),
  );
  if (json === true) {
    printJson({ key: value, ...toOutput(key) });
    return;
  }
  console.log(`${value}

This is the only time the key is shown: keep it in a safe place.

id       ${key.keyId}
guild    ${key.guild.guildId}
name     ${key.name}
scopes   ${key.scopes.join(', ')}
expires  ${isoTime(key.expiresAtMs)}`);
}

async function listKeys({ guild, json }: { guild: string; json?: boolean }, command: Command): Promise<void> {
  const keys = await withToolbox(command, 'expect', (toolbox) => toolbox.keys.list(guild));
  if (json === true) {
    printJson(keys.map(toOutput));
  } else if (keys.length === 0) {
    console.log('This guild has no keys.');
  } else {
    printTable(
      ['ID', 'PREFIX', 'SCOPES', 'EXPIRES', 'LAST USED', 'NAME'],
      keys.map((key) => [
        key.keyId,
        `${key.prefix}...`,
        key.scopes.join(','),
        describeExpiry(key),
        key.lastUsedAtMs === undefined ? 'never' : isoTime(key.lastUsedAtMs),
        key.name,
      ]),
    );
  }
}

async function deleteKey(keyId: string, _options: object, command: Command): Promise<void> {
  await withToolbox(command, 'expect', ({ keys }) => keys.delete(keyId, OPERATOR));
  console.log(`Deleted key ${keyId}. It no longer works.`);
}

function describeExpiry(key: ApiKey): string {
  return `${isoTime(key.expiresAtMs)}${key.expiresAtMs <= Date.now() ? ' (expired)' : ''}`;
}

function toOutput(key: ApiKey): object {
  return {
    id: key.keyId,
    guildId: key.guild.guildId,
    name: key.name,
    prefix: key.prefix,
    scopes: key.scopes,
    createdBy: key.createdBy,
    createdAt: isoTime(key.createdAtMs),
    expiresAt: isoTime(key.expiresAtMs),
    lastUsedAt: key.lastUsedAtMs === undefined ? null : isoTime(key.lastUsedAtMs),
  };
}
