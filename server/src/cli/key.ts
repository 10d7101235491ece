import type { Command } from 'commander';
import { toKeyLimits } from '../domain/access/key-amounts.ts';
import { parseRouteLimits, routeLimitsText } from '../domain/access/route-limits.ts';
import { type ApiKey, SCOPES, type Scope } from '../domain/model.ts';
import {
  KEY_NAME_LENGTH_MAX,
  KEY_NOTE_LENGTH_MAX,
  parseExpiry,
  parseId,
  parseLimit,
  parseOverlap,
  parseScopes,
  parseText,
} from './arguments.ts';
import { addKeyLogCommands } from './key-log.ts';
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
    .description('delete a key; it stops working at once, and its webhooks are disabled')
    .argument('<keyId>', "the key's id, as listed", parseId)
    .option('--keep-webhooks', 'leave the webhooks enabled that the key made or changed last')
    .action(deleteKey);

  key
    .command('rotate')
    .description('give a key a new value and show it, once; id, name, scopes and expiry stay')
    .argument('<keyId>', "the key's id, as listed", parseId)
    .option(
      '--overlap <time>',
      'how long the present value stays valid: 0 to 7d, such as 12h; earlier ones end then at the latest',
      parseOverlap,
      0,
    )
    .option('--json', 'print JSON')
    .action(rotateKey);

  key
    .command('set')
    .description('rename a key, and say what it is for and what it may do')
    .argument('<keyId>', "the key's id, as listed", parseId)
    .option('--name <name>', 'what it is called', parseText(KEY_NAME_LENGTH_MAX))
    .option(
      '--note <text>',
      'what else there is to say about it; none takes it away',
      parseText(KEY_NOTE_LENGTH_MAX),
    )
    .option(
      '--networks <list>',
      'where it may be used from: up to 32 addresses or networks, separated by commas; none for anywhere',
    )
    .option('--amount-max <amount>', 'the largest total of one transaction; none for any', parseLimit)
    .option(
      '--withdrawn-per-day-max <amount>',
      'what it may withdraw on a day in UTC; none for any',
      parseLimit,
    )
    .option(
      '--route-limits <list>',
      'requests of single routes, such as getVerification=60/minute,getTransfer=5/second; none for no such limits',
    )
    .option('--json', 'print JSON')
    .action(setKey);

  addKeyLogCommands(key);
}

async function rotateKey(
  keyId: string,
  { overlap, json }: { overlap: number; json?: boolean },
  command: Command,
): Promise<void> {
  const { key, value } = await withToolbox(command, 'expect', ({ keys }) =>
    keys.rotate({ keyId }, overlap, OPERATOR),
  );
  if (json === true) {
    printJson({ key: value, ...toOutput(key) });
    return;
  }
  const former =
    overlap === 0
      ? 'The value before no longer works.'
      : `The value before works until ${isoTime(key.formerUntilMs ?? 0)}.`;
  console.log(`${value}

This is the only time the key is shown: keep it in a safe place. ${former}

id       ${key.keyId}
guild    ${key.guild.guildId}
name     ${key.name}
scopes   ${key.scopes.join(', ')}
expires  ${isoTime(key.expiresAtMs)}`);
}

interface SetOptions {
  name?: string;
  note?: string;
  networks?: string;
  amountMax?: number | 'none';
  withdrawnPerDayMax?: number | 'none';
  routeLimits?: string;
  json?: boolean;
}

async function setKey(keyId: string, options: SetOptions, command: Command): Promise<void> {
  const { name, note, networks, routeLimits, json } = options;
  const hasNetworks = networks !== undefined && networks !== 'none';
  const { key, trustsProxy } = await withToolbox(command, 'expect', async ({ keys }, config) => {
    const settings = {
      name,
      note: note === 'none' ? null : note,
      networks: networks === undefined ? undefined : hasNetworks ? networks.split(',') : [],
      limits: {
        amountMax: orNull(options.amountMax),
        withdrawnPerDayMax: orNull(options.withdrawnPerDayMax),
      },
      routeLimits:
        routeLimits === undefined ? undefined : parseRouteLimits(routeLimits === 'none' ? '' : routeLimits),
    };
    const changed = await keys.update({ keyId }, settings, OPERATOR);
    return { key: changed, trustsProxy: config.trustedProxies.length > 0 };
  });
  if (hasNetworks && !trustsProxy) {
    console.error(
      'TRUST_PROXY is not set: behind a proxy all requests come from its address, and the key is refused to everybody else.',
    );
  }
  if (json === true) {
    printJson(toOutput(key));
    return;
  }
  const { amountMax, withdrawnPerDayMax } = toKeyLimits(key.limits);
  console.log(`id                     ${key.keyId}
name                   ${key.name}
note                   ${key.note ?? 'none'}
networks               ${key.networks.join(', ') || 'anywhere'}
amount max             ${amountMax ?? 'none'}
withdrawn per day max  ${withdrawnPerDayMax ?? 'none'}
route limits           ${routeLimitsText(key.routeLimits) || 'none'}`);
}

/** `none` removes a limit. */
function orNull(given: number | 'none' | undefined): number | null | undefined {
  return given === 'none' ? null : given;
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

async function deleteKey(
  keyId: string,
  { keepWebhooks: keepsWebhooks = false }: { keepWebhooks?: boolean },
  command: Command,
): Promise<void> {
  const webhooks = await withToolbox(command, 'expect', ({ keys }) =>
    keys.delete(keyId, OPERATOR, { keepsWebhooks }),
  );
  console.log(`Deleted key ${keyId}. It no longer works.`);
  for (const { webhookId, url } of webhooks) {
    console.log(`${keepsWebhooks ? 'Kept' : 'Disabled'} its webhook ${webhookId} (${url}).`);
  }
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
    note: key.note ?? null,
    networks: key.networks,
    limits: toKeyLimits(key.limits),
    routeLimits: key.routeLimits,
    formerUntil: key.formerUntilMs === undefined ? null : isoTime(key.formerUntilMs),
  };
}
