import type { Command } from 'commander';
import { type GuildSeal, rotateSealKey, showSeals } from '../compose/seal-commands.ts';
import { systemClock, systemIds } from '../compose.ts';
import { OperatorError } from '../domain/errors.ts';
import { parseId } from './arguments.ts';
import { isoTime, printJson } from './output.ts';
import { withToolbox } from './toolbox.ts';

const ENVIRONMENT = { clock: systemClock, ids: systemIds };

interface ShowOptions {
  guild?: string;
  json?: boolean;
}

export function addSealCommands(program: Command): void {
  const seal = program.command('seal').description('the sealed logs of ledgers and the key that signs them');

  seal
    .command('show')
    .description('print the verifier key and the last checkpoint of each guild')
    .option('--guild <guildId>', 'only this guild', parseId)
    .option('--json', 'print a JSON array')
    .action(show);

  seal
    .command('rotate')
    .description('make a new key; for 30 days checkpoints have the signatures of both')
    .action(async (_options: object, command: Command) => {
      await withToolbox(command, 'expect', ({ store }, config) => rotateSealKey(config, ENVIRONMENT, store));
      console.log(
        'A new key signs from now on, and the one before it for 30 more days. Running services use it within seconds.\n' +
          'Publish the new verifier keys, which "seal show" prints.',
      );
    });
}

async function show({ guild, json }: ShowOptions, command: Command): Promise<void> {
  const seals = await withToolbox(command, 'expect', ({ store }, config) =>
    showSeals(config, ENVIRONMENT, { store, guildId: guild }),
  );
  if (guild !== undefined && seals.length === 0) {
    throw new OperatorError(`there is no guild ${guild}`);
  }
  if (json === true) {
    printJson(seals.map(toOutput));
    return;
  }
  console.log(seals.map(describe).join('\n\n') || 'There are no guilds yet.');
}

function describe({ guildId, verifierKeys, size, behind, checkpoint }: GuildSeal): string {
  const state = `${size} transactions sealed, ${behind} not yet`;
  const keys = verifierKeys.map((key) => `verifier key  ${key}`);
  return [
    `guild         ${guildId}`,
    `state         ${state}`,
    ...keys,
    '',
    checkpoint?.trimEnd() ?? 'no checkpoint yet',
  ].join('\n');
}

function toOutput({ sealedAtMs, checkpoint, ...seal }: GuildSeal): object {
  const sealedAt = sealedAtMs === undefined ? null : isoTime(sealedAtMs);
  return { ...seal, sealedAt, checkpoint: checkpoint ?? null };
}
