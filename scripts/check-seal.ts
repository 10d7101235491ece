import { spawnSync } from 'node:child_process';
import { mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import path from 'node:path';
import { fileURLToPath } from 'node:url';
import { collectVectors } from './seal/vectors.ts';

// Starts a service, posts and imports transactions, and asks it for 1,000 receipts, 100 consistency proofs and the checkpoints of
// ten tree sizes up to a million. Verifiers of others check them: golang.org/x/mod/sumdb of the Go checksum database, and pymerkle
// from PyPI. A verifier whose language is not installed is left out, with a line that says so. It takes a few minutes.

const folder = fileURLToPath(new URL('./seal/', import.meta.url));
const work = mkdtempSync(path.join(tmpdir(), 'guildbook-seal-'));
const file = path.join(work, 'vectors.json');

/** True when the command exists and succeeds. */
function isThere(command: string, ...input: string[]): boolean {
  return spawnSync(command, input, { stdio: 'ignore' }).status === 0;
}

function run(name: string, command: string, input: string[], cwd = folder): void {
  const { status, stdout, stderr } = spawnSync(command, input, { cwd, encoding: 'utf8' });
  console.log(`${name}: ${status === 0 ? stdout.trim() : `failed\n${stdout}${stderr}`}`);
  process.exitCode = status === 0 ? process.exitCode : 1;
}

function checkWithPython(): void {
  const python = path.join(work, 'python', 'bin', 'python');
  const isReady =
    isThere('python3', '-m', 'venv', path.join(work, 'python')) &&
    isThere(python, '-m', 'pip', 'install', '--quiet', 'pymerkle==7.0.0', 'cryptography');
  if (isReady) {
    run('Python', python, ['check.py', file]);
  } else {
    console.log('Python: not checked, because Python or the package pymerkle is not available');
  }
}

try {
  writeFileSync(file, JSON.stringify(await collectVectors(work, Math.random)));
  if (isThere('go', 'version')) {
    run('Go', 'go', ['run', '.', file]);
  } else {
    console.log('Go: not checked, because Go is not installed');
  }
  checkWithPython();
} finally {
  rmSync(work, { recursive: true });
}
