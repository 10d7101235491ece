import type { Command } from 'commander';
import { systemClock } from '../compose.ts';
import { OperatorError } from '../domain/errors.ts';
import { OPERATOR } from './operator.ts';
import { printJson, printTable } from './output.ts';
import { withToolbox } from './toolbox.ts';

/** The operator's commands for public pages of guilds. */
export function addBoardCommands(program: Command): void {
  const board = program.command('board').description('the public pages of guilds');

  board
    .command('list')
    .description('list all boards, published or not')
    .option('--json', 'print a JSON array')
    .action(list);

  board
    .command('hide')
    .description('switch a board off; the guild keeps its name and can switch it on again')
    .argument('<name>', 'the end of its address, /board/<name>')
    .action(hide);
}

async function list({ json }: { json?: boolean }, command: Command): Promise<void> {
  const boards = await withToolbox(command, 'expect', ({ store }) => store.boards.list());
  if (json === true) {
    printJson(boards.map(({ name, guild, isPublished }) => ({ name, guildId: guild.guildId, isPublished })));
    return;
  }
  printTable(
    ['NAME', 'GUILD', 'PUBLISHED'],
    boards.map(({ name, guild, isPublished }) => [name, guild.guildId, isPublished ? 'yes' : 'no']),
  );
}

async function hide(name: string, _options: object, command: Command): Promise<void> {
  await withToolbox(command, 'expect', async ({ store }) => {
    const [board] = await store.boards.findNamed([name]);
    if (board === undefined) {
      throw new OperatorError(`there is no board ${name}`);
    }
    const { guild, ...settings } = board;
    const change = { actor: OPERATOR, atMs: systemClock.nowMs() };
    await store.boards.set(guild, { ...settings, isPublished: false }, change);
  });
  console.log(`The board ${name} is switched off. Running services stop sending it within a second.`);
}
