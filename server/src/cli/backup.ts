import type { Command } from 'commander';
import { commandLine } from '../command-name.ts';
import { backUpStore, describeStore, restoreStore, verifyStore } from '../compose/stores.ts';
import { readCheckpointFile, verifyStoreSeals } from '../compose/verify-seals.ts';
import { systemClock, systemIds } from '../compose.ts';
import type { Config } from '../config.ts';
import { OperatorError } from '../domain/errors.ts';
import type { KeptCheckpoint } from '../domain/seal/verify-seals.ts';
import type { SchemaState } from '../store/operations/migrate.ts';
import { explain } from './explain.ts';
import { createProgress, formatMany } from './progress.ts';
import { printKeyFile, printRestoredSecrets, verifySecrets } from './secrets.ts';
import { stoppable } from './stoppable.ts';
import { readStoreConfig } from './store-line.ts';

export function addBackupCommands(program: Command): void {
  program
    .command('backup')
    .description(
      'copy the embedded store, of any version, into a file, while it is being served or not, and check the copy',
    )
    .argument('<file>', 'where to')
    .option('--force', 'overwrite the file if it exists')
    .action(async (file: string, { force }: { force?: boolean }, command: Command) => {
      const config = readStoreConfig(command);
      const progress = createProgress('Copying', 'page');
      const { findings, schema } = await stoppable('no backup was made, and nothing is left of it', (stop) =>
        backUpStore(config, file, {
          mayOverwrite: force === true,
          onProgress: ({ done, total }) => progress.update({ done, total, count: done }),
          stop,
          onUnrecorded: (error) =>
            console.error(
              `Warning: the backup is complete, but the service's metrics will not show it: ${explain(error)}`,
            ),
        }),
      ).finally(progress.finish);
      report(findings, 'the store has faults, no backup was made:');
      console.log(`Backup written to ${file} and checked.`);
      printOtherVersion(schema, {
        older: `Restore it with the version that served the store, or with this one and then run "${commandLine('migrate')}".`,
        newer: 'Restore it with the newer Guildbook that served the store.',
        tooOld:
          'Restore it with the version that served the store. This program does not upgrade it directly.',
      });
      printKeyFile(config);
    });

  program
    .command('restore')
    .description('put a backup in the place of the embedded store; the service must be stopped')
    .argument('<file>', 'the backup')
    .option('--force', 'overwrite the present store')
    .action(async (file: string, { force }: { force?: boolean }, command: Command) => {
      const config = readStoreConfig(command);
      const progress = createProgress('Checking', 'transaction');
      const { findings, schema } = restoreStore(config, file, force === true, ({ done, total }) =>
        progress.update({ done, total, count: done }),
      );
      progress.finish();
      report(findings, 'the backup has faults and was not restored:');
      console.log(`Restored ${describeStore(config)} from ${file}.`);
      printOtherVersion(schema, {
        older: `Run "${commandLine('migrate')}", or start the service, which upgrades the store.`,
      });
      if (schema?.isCurrent === true) {
        await printRestoredSecrets(config);
      }
    });

  program
    .command('verify')
    .description(
      "check the store: the embedded store's file, gaps, balances against sums, facts that point to others, the sealed log of every ledger, and that SECRET_KEY reads its secrets",
    )
    .option(
      '--checkpoint <files...>',
      'also check that what these checkpoints or receipts sealed is still there',
    )
    .action(async ({ checkpoint = [] }: { checkpoint?: string[] }, command: Command) => {
      const config = readStoreConfig(command);
      const kept = checkpoint.map(readCheckpointFile);
      const progress = createProgress('Checking', 'transaction');
      const findings = await verifyStore(config, ({ done, total }) =>
        progress.update({ done, total, count: done }),
      );
      progress.finish();
      const seals = await verifySealedLogs(config, kept);
      report([...findings, ...seals], 'the store has faults:');
      await verifySecrets(config);
      if (kept.length > 0) {
        console.log(
          `${formatMany(kept.length, 'checkpoint')} still ${kept.length === 1 ? 'holds' : 'hold'}.`,
        );
      }
      console.log('Everything is in order.');
    });
}

/** The faults of sealed logs. */
async function verifySealedLogs(config: Config, kept: readonly KeptCheckpoint[]): Promise<string[]> {
  const progress = createProgress('Checking seals of', 'transaction');
  let done = 0;
  const environment = { clock: systemClock, ids: systemIds };
  const { findings, areKeysChecked, hasKeys } = await verifyStoreSeals(config, environment, kept, (count) => {
    done += count;
    progress.update({ done, count: done });
  }).finally(progress.finish);
  if (hasKeys && !areKeysChecked) {
    console.log(
      'The keys of the sealed logs were not checked, because the key that encrypts them is not here.',
    );
  }
  return findings;
}

/** Prints the schema version of a copy when it is not this program's own. */
function printOtherVersion(
  schema: SchemaState | undefined,
  advice: Readonly<Partial<Record<'tooOld' | 'older' | 'newer', string>>>,
): void {
  if (schema !== undefined && !schema.isCurrent) {
    const { version, knownVersion, oldestVersion } = schema;
    const age = version < oldestVersion ? 'tooOld' : version < knownVersion ? 'older' : 'newer';
    console.log(
      `It has schema version ${version}, and this program has ${knownVersion}.\n  ${advice[age] ?? ''}`.trimEnd(),
    );
  }
}

function report(findings: readonly string[], heading: string): void {
  if (findings.length > 0) {
    throw new OperatorError([heading, ...findings.map((finding) => `  ${finding}`)].join('\n'));
  }
}
