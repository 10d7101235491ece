import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import path from 'node:path';
import { checkPython, preparePython, writeGenerated } from './clients/python.ts';
import { startSampleService } from './clients/sample-service.ts';
import { runSteps } from './clients/steps.ts';

// npm run check:clients                checks clients/python against a running service
// npm run check:clients -- --write     writes the generated files of clients/python
//
// The tools come from PyPI, in exact versions, and are kept in a temporary folder. It needs Python 3.10 or newer.

const folder = mkdtempSync(path.join(tmpdir(), 'guildbook-clients-'));
try {
  const python = await preparePython(folder);
  if (process.argv.includes('--write')) {
    await writeGenerated(python);
  } else {
    await check(python);
  }
} catch (error) {
  console.error(error instanceof Error ? error.message : error);
  process.exitCode = 1;
} finally {
  rmSync(folder, { recursive: true, force: true });
}

async function check(python: Awaited<ReturnType<typeof preparePython>>): Promise<void> {
  const service = await startSampleService(folder);
  try {
    await runSteps(checkPython(python, service));
  } finally {
    await service.stop();
  }
}
