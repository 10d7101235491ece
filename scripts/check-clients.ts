import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import path from 'node:path';
import { checkLuau } from './clients/luau.ts';
import { checkLuauTypes } from './clients/luau-types.ts';
import { checkPython, type PythonTools, preparePython, writeGenerated } from './clients/python.ts';
import { startSampleService } from './clients/sample-service.ts';
import { runSteps } from './clients/steps.ts';
import { checkVersions } from './clients/versions.ts';

// npm run check:clients                    checks clients/python and clients/luau against a running service
// npm run check:clients -- --luau-types    fails without cargo, which the types of clients/luau need
// npm run check:clients -- --write         writes the generated files of clients/python
//
// The tools come from PyPI, npm and crates.io, in exact versions. It needs Python 3.10 or newer. cargo compiles the checker of
// Luau's types once, in a minute or more; without cargo the summary says that these types were not checked.

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

async function check(python: PythonTools): Promise<void> {
  const service = await startSampleService(folder);
  const isRequired = process.argv.includes('--luau-types');
  try {
    await runSteps([
      checkVersions(),
      ...checkPython(python, service),
      ...checkLuau(folder, service),
      checkLuauTypes(folder, { isRequired }),
    ]);
  } finally {
    await service.stop();
  }
}
