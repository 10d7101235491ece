import { Option } from 'commander';
import type { UpgradeEvent, UpgradeOptions } from '../store/operations/migrate.ts';
import type { UpgradePlan } from '../store/operations/plan.ts';
import { printTable } from './output.ts';
import { createProgress, format } from './progress.ts';
import { stoppable } from './stoppable.ts';

/** For commands that upgrade a store. Without the option `copy` is true. */
export function noCopyOption(): Option {
  return new Option('--no-copy', 'upgrade the embedded store without keeping a copy of it beside it');
}

/** Creates the copy that is kept before an upgrade. Ctrl-C or SIGTERM stops it, and then nothing was upgraded. */
export const keepCopy: NonNullable<UpgradeOptions['keepCopy']> = (copy) =>
  stoppable('the store was not upgraded, and nothing is left of the copy', copy);

/** Prints the steps that an upgrade would run. */
export function printPlan({ from, to, works, notes }: UpgradePlan): void {
  if (works.length === 0 && from > 0) {
    console.log(`The store is up to date: it has schema version ${from}.`);
    return;
  }
  console.log(`Schema version ${from}, and ${to} after the upgrade. Nothing was changed.`);
  for (const note of notes) {
    console.log(note);
  }
  if (works.length > 0) {
    printTable(
      ['STEP', 'KIND', 'RUNS', 'ROWS', 'TIME', 'LOCK', 'WORK'],
      works.map(({ migration, kind, rows, seconds, lock, work }) => [
        migration,
        kind,
        kind === 'expand' ? 'before serving' : 'in the background',
        rows === 0 ? '-' : format(rows),
        inSeconds(seconds * 1_000),
        lock,
        work,
      ]),
    );
  }
}

/** Prints an upgrade: results on standard output, progress on standard error. */
export function createUpgradePrinter(): (event: UpgradeEvent) => void {
  const progress = createProgress('Copying', 'page');
  const filling = createProgress('Filling', 'row');
  let isNew = false;
  return (event) => {
    switch (event.kind) {
      case 'started':
        isNew = event.from === 0;
        if (!isNew) {
          console.log(`Upgrading the store from schema version ${event.from} to ${event.to}.`);
        }
        break;
      case 'copying':
        progress.update({ ...event, count: event.done });
        break;
      case 'copied':
        progress.finish();
        console.log(`The store as it was is kept in ${event.file} (${inSeconds(event.durationMs)}).`);
        break;
      case 'applied':
        if (!isNew) {
          console.log(`  ${event.done} of ${event.total}: ${event.step} (${inSeconds(event.durationMs)})`);
        }
        break;
      case 'finished':
        console.log(
          isNew
            ? `Made a new store with schema version ${event.to}.`
            : `The store has schema version ${event.to} (${inSeconds(event.durationMs)}).`,
        );
        break;
      case 'backfilling':
        filling.update({ ...event, count: event.done });
        break;
      case 'completed':
        filling.finish();
        console.log(`  ${event.step} (${inSeconds(event.durationMs)})`);
        break;
      case 'repeating':
        console.error(`  ${event.step} is repeated: ${event.reason}`);
        break;
      case 'interrupted':
        console.error(`  repeated: ${event.reason}`);
    }
  };
}

function inSeconds(durationMs: number): string {
  return `${(durationMs / 1_000).toFixed(1)} s`;
}
