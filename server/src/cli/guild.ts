import { type Command, Option } from 'commander';
import { commandLine } from '../command-name.ts';
import { hasActivePlan } from '../domain/access/guilds.ts';
import { UTC } from '../domain/guild-calendar.ts';
import type { Guild, Plan } from '../domain/model.ts';
import { LANGUAGES, type Language, USUAL_LANGUAGE } from '../texts/language.ts';
import { TIME_ZONE_LENGTH_MAX } from '../wire/dashboard-preferences.ts';
import { NAME_LENGTH_MAX } from '../wire/text.ts';
import { parseDate, parseId, parsePlan, parseText } from './arguments.ts';
import { OPERATOR } from './operator.ts';
import { isoTime, printJson, printTable } from './output.ts';
import { withToolbox } from './toolbox.ts';

interface SetOptions {
  name?: string;
  plan?: Plan;
  until?: number;
  overdraft?: 'allow' | 'forbid';
  timeZone?: string;
  language?: Language;
  seal?: 'public' | 'private';
  json?: boolean;
}

export function addGuildCommands(program: Command): void {
  const guild = program.command('guild').description('set up guilds and look at them');

  guild
    .command('set')
    .description('create a guild, or change what is given and leave the rest')
    .argument('<guildId>', "the guild's id on the chat platform", parseId)
    .option('--name <name>', 'its name (needed for a new guild)', parseText(NAME_LENGTH_MAX))
    .option('--plan <plan>', 'none, developer or enterprise; keys need one of the latter two', parsePlan)
    .option(
      '--until <date>',
      'the plan ends then, such as 2027-01-31 (UTC); without it the plan has no end',
      parseDate,
    )
    .addOption(
      new Option('--overdraft <rule>', 'whether withdrawals may take a balance below zero').choices([
        'allow',
        'forbid',
      ]),
    )
    .option(
      '--time-zone <zone>',
      "the calendar of the guild's days, such as Europe/Berlin; UTC at first",
      parseText(TIME_ZONE_LENGTH_MAX),
    )
    .addOption(
      new Option(
        '--language <language>',
        'the language of its channel messages, board and chat replies; en at first',
      ).choices(LANGUAGES),
    )
    .addOption(
      new Option('--seal <who>', 'whether everybody may read the checkpoints of its sealed ledger').choices([
        'public',
        'private',
      ]),
    )
    .option('--json', 'print the guild as JSON')
    .action((guildId: string, options: SetOptions, command: Command) => setGuild(guildId, options, command));

  guild
    .command('list')
    .description('list all guilds')
    .option('--json', 'print a JSON array')
    .action(({ json }: { json?: boolean }, command: Command) => listGuilds(json === true, command));

  guild
    .command('show')
    .description('show one guild')
    .argument('<guildId>', "the guild's id on the chat platform", parseId)
    .option('--json', 'print JSON')
    .action(async (guildId: string, { json }: { json?: boolean }, command: Command) => {
      printGuild(await withToolbox(command, 'expect', ({ guilds }) => guilds.find(guildId)), json === true);
    });
}

async function setGuild(guildId: string, options: SetOptions, command: Command): Promise<void> {
  const { name, plan, until, overdraft, timeZone, language, seal } = options;
  const guild = await withToolbox(command, 'create', ({ guilds }) =>
    guilds.set(
      {
        guildId,
        name,
        plan,
        planUntilMs: until,
        overdraftAllowed: overdraft === undefined ? undefined : overdraft === 'allow',
        timeZone,
        language,
        sealPublic: seal === undefined ? undefined : seal === 'public',
      },
      OPERATOR,
    ),
  );
  printGuild(guild, options.json === true);
}

async function listGuilds(asJson: boolean, command: Command): Promise<void> {
  const guilds = await withToolbox(command, 'expect', (toolbox) => toolbox.guilds.list());
  if (asJson) {
    printJson(guilds.map(toOutput));
  } else if (guilds.length === 0) {
    console.log(
      `There are no guilds yet. Create one with: ${commandLine('guild set <guildId> --name <name>')}`,
    );
  } else {
    printTable(
      ['GUILD', 'PLAN', 'NAME'],
      guilds.map((guild) => [guild.guildId, describePlan(guild), guild.name]),
    );
  }
}

function printGuild(guild: Guild, asJson: boolean): void {
  if (asJson) {
    printJson(toOutput(guild));
    return;
  }
  console.log(`guild      ${guild.guildId}
name       ${guild.name}
plan       ${describePlan(guild)}
overdraft  ${guild.overdraftAllowed ? 'allowed' : 'forbidden'}
calendar   ${guild.timeZone ?? UTC}
language   ${guild.language ?? USUAL_LANGUAGE}
seal       ${guild.sealPublic ? 'public' : 'private'}
created    ${isoTime(guild.createdAtMs)}`);
}

function describePlan(guild: Guild): string {
  if (guild.plan === 'none' || guild.planUntilMs === undefined) {
    return guild.plan;
  }
  const verb = hasActivePlan(guild, Date.now()) ? 'until' : 'ended';
  return `${guild.plan} (${verb} ${isoTime(guild.planUntilMs)})`;
}

function toOutput(guild: Guild): object {
  return {
    guildId: guild.guildId,
    name: guild.name,
    plan: guild.plan,
    planUntil: guild.planUntilMs === undefined ? null : isoTime(guild.planUntilMs),
    overdraftAllowed: guild.overdraftAllowed,
    timeZone: guild.timeZone ?? UTC,
    language: guild.language ?? USUAL_LANGUAGE,
    sealPublic: guild.sealPublic,
    createdAt: isoTime(guild.createdAtMs),
  };
}
