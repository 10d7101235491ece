import { spawn } from 'node:child_process';
import path from 'node:path';
import { createInterface } from 'node:readline';
import { fileURLToPath } from 'node:url';
import { expect, it, onTestFinished } from 'vitest';
import { migrateSqliteFile } from '../../src/store/sqlite/migrate.ts';
import { depth } from '../support/depth.ts';
import { createMemoryFolder } from '../support/memory-folder.ts';
import { LONG_TEST } from '../support/patience.ts';

const PROCESSES = 4;
const FILES = depth({ normal: 30, deep: 120 });

function startProcess() {
  const script = fileURLToPath(new URL('./migrating-process.ts', import.meta.url));
  const child = spawn(process.execPath, [script], { stdio: ['pipe', 'pipe', 'inherit'] });
  onTestFinished(() => void child.kill());
  const lines = createInterface({ input: child.stdout })[Symbol.asyncIterator]();
  return {
    send: (line: string) => child.stdin.write(`${line}\n`),
    receive: async (): Promise<string> => (await lines.next()).value ?? 'the process ended',
  };
}

it(
  'processes that open one new file at the same moment all succeed, and each step is taken once',
  LONG_TEST,
  async () => {
    const folder = createMemoryFolder();
    const processes = Array.from({ length: PROCESSES }, startProcess);
    await Promise.all(processes.map((one) => one.receive()));
    const steps = migrateSqliteFile(path.join(folder, 'alone.db')).length;
    const nothingToDo = new Array(PROCESSES - 1).fill('applied 0');
    // The race is over in moments, so it is run many times; every answer has to be right.
    for (let round = 0; round < FILES; round += 1) {
      const file = path.join(folder, `${round}.db`);
      for (const one of processes) {
        one.send(file);
      }
      const answers = await Promise.all(processes.map((one) => one.receive()));
      expect(answers.sort(), `round ${round}`).toEqual([...nothingToDo, `applied ${steps}`]);
    }
  },
);
