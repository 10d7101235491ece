import { execFileSync } from 'node:child_process';
import path from 'node:path';
import { findSparePort } from '../../server/test/support/spare-port.ts';
import { ROOT } from '../run.ts';
import type { SampleService } from './sample-service.ts';
import { runProgram, type Step } from './steps.ts';

const PACKAGE = path.join(ROOT, 'clients/python');
const PROGRAM = path.join(ROOT, 'server/bin/guildbook.js');
/** Names under which Python 3 is installed. The first one that is new enough and has venv is used. */
const INTERPRETERS = [
  'python3',
  'python',
  'python3.14',
  'python3.13',
  'python3.12',
  'python3.11',
  'python3.10',
];
const IS_USABLE = 'import sys, venv, ensurepip; sys.exit(sys.version_info < (3, 10))';

/** A virtual environment with the client, its dependencies and the tools that check it. */
export interface PythonTools {
  run(args: readonly string[], env?: Record<string, string>): Promise<void>;
}

export async function preparePython(folder: string): Promise<PythonTools> {
  const environment = path.join(folder, 'venv');
  await runProgram(findInterpreter(), ['-m', 'venv', environment]);
  const python = path.join(environment, 'bin/python');
  const tools: PythonTools = {
    run: (args, env = {}) =>
      runProgram(python, args, { cwd: PACKAGE, env: { PYTHONDONTWRITEBYTECODE: '1', ...env } }),
  };
  const pip = ['-m', 'pip', 'install', '--quiet', '--disable-pip-version-check'];
  await tools.run([...pip, '--requirement', 'requirements-check.txt']);
  await tools.run([...pip, '.']);
  return tools;
}

export function writeGenerated(python: PythonTools): Promise<void> {
  return python.run(['generate.py']);
}

export function checkPython(python: PythonTools, service: SampleService): Step[] {
  return [
    { name: 'Python: generated files', run: () => python.run(['generate.py', '--check']) },
    {
      name: 'Python: format and lint',
      async run() {
        await python.run(['-m', 'ruff', 'format', '--no-cache', '--check']);
        await python.run(['-m', 'ruff', 'check', '--no-cache']);
      },
    },
    { name: 'Python: types', run: () => python.run(['-m', 'mypy', '--cache-dir', '/dev/null']) },
    { name: 'Python: tests and example against the service', run: () => runTests(python, service) },
  ];
}

async function runTests(python: PythonTools, { address, key, databaseUrl }: SampleService): Promise<void> {
  await python.run(['-m', 'pytest', '--quiet'], {
    GUILDBOOK_URL: address,
    GUILDBOOK_KEY: key,
    GUILDBOOK_DATABASE_URL: databaseUrl,
    GUILDBOOK_COMMAND: JSON.stringify([process.execPath, PROGRAM]),
    GUILDBOOK_PORTS: JSON.stringify([await findSparePort()]),
  });
}

function findInterpreter(): string {
  const found = INTERPRETERS.find((name) => {
    try {
      execFileSync(name, ['-c', IS_USABLE], { stdio: 'ignore' });
      return true;
    } catch {
      // Absent, too old, or without venv: the next one may do.
      return false;
    }
  });
  if (found === undefined) {
    throw new Error(
      'check:clients needs Python 3.10 or newer with venv (Debian and Ubuntu: apt-get install python3 python3-venv)',
    );
  }
  return found;
}
