import type { Command } from 'commander';
import { migrateStore, planUpgrade, printMigrations } from '../compose/upgrades.ts';
import { type Config, readServeConfig, SETTINGS, type Setting, sourceOf } from '../config.ts';
import { readVersion } from './arguments.ts';
import { fileOf, readCommandConfig } from './env-file.ts';
import { printJson, printTable } from './output.ts';
import { stoppable } from './stoppable.ts';
import { readStoreConfig } from './store-line.ts';
import { createUpgradePrinter, keepCopy, noCopyOption, printPlan } from './upgrade.ts';

interface MigrateOptions {
  plan?: boolean;
  print?: boolean;
  from: number;
  copy: boolean;
}

export function addToolCommands(program: Command): void {
  program
    .command('migrate')
    .description(
      "bring the store's schema up to date (serve and demo do it by themselves, other commands refuse an older one)",
    )
    .addOption(noCopyOption())
    .option('--plan', 'print the steps that would run, with their locks, rows and time, and change nothing')
    .option('--print', "print the SQL of a new store instead, for the store's dialect")
    .option('--from <version>', 'with --print: the SQL for a store of this schema version', readVersion, 0)
    .action(async ({ plan, print, from, copy }: MigrateOptions, command: Command) => {
      if (plan === true) {
        printPlan(await planUpgrade(readStoreConfig(command)));
      } else if (print === true) {
        process.stdout.write(await printMigrations(readCommandConfig(command), from));
      } else {
        await migrate(readStoreConfig(command), copy);
      }
    });

  program
    .command('openapi')
    .description('print the OpenAPI 3.1 document')
    .action(async () => {
      const { buildOpenApi } = await import('../http/openapi/document.ts');
      const { ENDPOINTS } = await import('../http/endpoints.ts');
      printJson(buildOpenApi(ENDPOINTS));
    });

  program
    .command('config')
    .description('print every setting with its value, where it comes from and what it means')
    .option('--json', 'print a JSON array')
    .action(({ json }: { json?: boolean }, command: Command) => printConfig(json === true, command));
}

async function migrate(config: Config, keepsCopy: boolean): Promise<void> {
  const onEvent = createUpgradePrinter();
  let isUpToDate = true;
  await migrateStore(config, {
    keepCopy: keepsCopy ? keepCopy : undefined,
    inForeground: (run) => stoppable('the service, or this command, goes on with the upgrade', run),
    onEvent(event) {
      isUpToDate = false;
      onEvent(event);
    },
  });
  if (isUpToDate) {
    console.log('The store is up to date.');
  }
}

function printConfig(asJson: boolean, command: Command): void {
  const file = fileOf(command).values;
  const settings = Object.values<Setting>(SETTINGS).map((setting) => {
    const { text, source } = sourceOf(setting, process.env, file);
    return { name: setting.name, value: shown(setting, text), source, doc: setting.doc, form: setting.form };
  });
  if (asJson) {
    printJson(settings);
  } else {
    printTable(
      ['SETTING', 'VALUE', 'SOURCE', 'MEANING'],
      settings.map(({ name, value, source, doc }) => [name, value ?? '(none)', source, doc]),
    );
  }
  // After the table, so that an error can be seen beside its value; the exit status reports it.
  readCommandConfig(command, readServeConfig);
}

/** Shows only whether a secret is set, to keep its value out of terminals and tickets. */
function shown(setting: Setting, text: string | undefined): string | null {
  if (text === undefined || text === '') {
    return null;
  }
  return setting.isSecret === true ? '(set)' : (setting.show?.(text) ?? text);
}
