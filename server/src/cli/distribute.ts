import type { Command } from 'commander';
import { distributeStore } from '../compose/stores.ts';
import { readStoreConfig } from './store-line.ts';

export function addDistributeCommand(program: Command): void {
  program
    .command('distribute')
    .description(
      'spread the tables of a store by guild over the machines of a Citus cluster; stop the service first. What was cut off goes on when repeated',
    )
    .action(async (_options: object, command: Command) => {
      await distributeStore(readStoreConfig(command), ({ table, done, total }) => {
        if (done < total) {
          console.error(`Table ${done + 1} of ${total}: ${table}`);
        }
      });
      console.log('The tables are distributed by guild.');
    });
}
