import { writeFileSync } from 'node:fs';
import path from 'node:path';
import { runInShared } from '../support/command-runner.ts';
import { createFolder } from '../support/folder.ts';

/** A folder with a file of settings, and command lines that read it. */
export function createPlace(settings: string | Buffer) {
  const cwd = createFolder();
  writeFileSync(path.join(cwd, 'guildbook.env'), settings);
  const run = (args: readonly string[], env: Record<string, string> = {}) =>
    runInShared([...args, '--env-file', 'guildbook.env'], { cwd, env });
  /** The output of `config`: the values of settings by name, the warnings, and the faults. */
  async function config(env: Record<string, string> = {}) {
    const { status, stdout, stderr } = await run(['config', '--json'], env);
    const shown: { name: string; value: string }[] = JSON.parse(stdout);
    const lines = stderr.split('\n').filter((line) => line !== '');
    return {
      status,
      values: Object.fromEntries(shown.map(({ name, value }) => [name, value])),
      warnings: lines.flatMap((line) => /^guildbook: warning: (.*)/.exec(line)?.[1] ?? []),
      faults: lines.flatMap((line) => /^ {2}(.*)/.exec(line)?.[1] ?? []),
    };
  }
  return { cwd, run, config };
}

export const at = (line: number, fault: string) => `guildbook.env, line ${line}: ${fault}`;
export const meant = (line: number, name: string, setting: string) =>
  at(line, `${name} is not a setting; did you mean ${setting}?`);
