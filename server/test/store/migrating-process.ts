import { createInterface } from 'node:readline';
import { migrateSqliteFile } from '../../src/store/sqlite/migrate.ts';

/** A process of its own that migrates each file named on its input, and says for each what came of it. */
process.stdout.write('ready\n');
for await (const file of createInterface({ input: process.stdin })) {
  try {
    process.stdout.write(`applied ${migrateSqliteFile(file).length}\n`);
  } catch (error) {
    process.stdout.write(`failed ${String(error)}\n`);
  }
}
