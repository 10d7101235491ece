import { Console } from 'node:console';
import { Readable, Writable } from 'node:stream';
import { pathToFileURL } from 'node:url';
import type { run as Run } from '../../src/cli/run.ts';
import type { CommandResult } from './process.ts';

/** One command line, and the overrides in which the real program would find itself. */
export interface CommandOrder {
  args: readonly string[];
  cwd: string;
  env: Record<string, string>;
  /** The content of standard input. */
  input: string;
}

const [, , module = ''] = process.argv;
const { run }: { run: typeof Run } = await import(pathToFileURL(module).href);

// Runs command lines one after the other, which saves each of them the start of a process.
process.on('message', async (order: CommandOrder) => {
  process.send?.(await runOrder(order));
});

async function runOrder({ args, cwd, env, input }: CommandOrder): Promise<CommandResult> {
  const [stdout, stderr] = [createSink(), createSink()];
  process.chdir(cwd);
  const before = { ...process.env };
  Object.assign(process.env, env);
  replaceStream('stdin', Readable.from([Buffer.from(input)]));
  replaceStream('stdout', stdout.stream);
  replaceStream('stderr', stderr.stream);
  globalThis.console = new Console(stdout.stream, stderr.stream);
  const status = await run(args);
  // A command adds the settings of its file to the environment.
  for (const name of Object.keys(process.env)) {
    delete process.env[name];
  }
  Object.assign(process.env, before);
  return { status, stdout: stdout.text(), stderr: stderr.text() };
}

/** New ones for each command line: a stream that all of them shared would gather what each leaves on it. */
function replaceStream(name: 'stdin' | 'stdout' | 'stderr', value: Readable | Writable): void {
  Object.defineProperty(process, name, { configurable: true, value });
}

function createSink() {
  const chunks: Buffer[] = [];
  const stream = new Writable({
    write(chunk: Buffer, _encoding, done) {
      chunks.push(chunk);
      done();
    },
  });
  return { stream, text: () => Buffer.concat(chunks).toString() };
}
