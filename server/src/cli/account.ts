import { type Command, InvalidArgumentError } from 'commander';
import { systemClock } from '../compose.ts';
import { createSetFloor } from '../domain/ledger/floors.ts';
import { isJsonNumber } from '../wire/text.ts';
import { parseId } from './arguments.ts';
import { OPERATOR } from './operator.ts';
import { printJson } from './output.ts';
import { withToolbox } from './toolbox.ts';

interface SetOptions {
  guild: string;
  floor: number | 'none';
  json?: boolean;
}

export function addAccountCommands(program: Command): void {
  const account = program.command('account').description("set up players' accounts");

  account
    .command('set')
    .description('set how far down withdrawals may take an account')
    .argument('<playerId>', 'the player', parseId)
    .requiredOption('--guild <guildId>', 'the guild', parseId)
    .requiredOption(
      '--floor <amount>',
      "the lowest balance that a withdrawal may leave, such as -500; none leaves it to the guild's setting",
      parseFloor,
    )
    .option('--json', 'print JSON')
    .action((playerId: string, options: SetOptions, command: Command) =>
      setAccount(playerId, options, command),
    );
}

async function setAccount(
  playerId: string,
  { guild: guildId, floor, json }: SetOptions,
  command: Command,
): Promise<void> {
  await withToolbox(command, 'expect', ({ store, guilds }) => {
    const setFloor = createSetFloor({ store: store.ledger, guilds, clock: systemClock });
    return setFloor({ guildId, playerId, floor: floor === 'none' ? undefined : floor }, OPERATOR);
  });
  if (json === true) {
    printJson({ guildId, playerId, floor: floor === 'none' ? null : floor });
  } else {
    console.log(`player     ${playerId}\nguild      ${guildId}\nfloor      ${floor}`);
  }
}

/** Parses an amount, or `none`. */
function parseFloor(text: string): number | 'none' {
  if (text !== 'none' && !isJsonNumber(text)) {
    throw new InvalidArgumentError('Give an amount such as -500 or 12.5, or none.');
  }
  return text === 'none' ? text : Number(text);
}
