import { spawnSync } from 'node:child_process';
import { mkdtempSync, readFileSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import path from 'node:path';
import { copyCheckout, installToolchain, OLDEST, runNpm, startService } from './npm-toolchain.ts';
import { ROOT } from './run.ts';

// npm run check:readme
//
// Follows README.md as a newcomer does, in a copy of this checkout, with the oldest supported npm and Node.js: "npm ci",
// "npm start", then each block of commands in one shell after the other. The block after it is the expected output. Ids, times,
// and figures that depend on the day of the sample data are not compared. It needs port 3000, bash and curl.

/** Parts of an output that differ from run to run. */
const VARIABLE: readonly (readonly [RegExp, string])[] = [
  [/[0-9a-f]{8}(?:-[0-9a-f]{4}){3}-[0-9a-f]{12}/g, '<id>'],
  [/\d{4}-\d\d-\d\dT[\d:.]+Z/g, '<time>'],
  [/^Date: .*$/gim, 'Date: <time>'],
  [/^(x-request-id|account-balance|x-ratelimit-reset-after): .*$/gim, '$1: <value>'],
  [/"(balance|transactionCount|total|totalPages)":-?[\d.]+/g, '"$1":<figure>'],
  // The largest withdrawal is another one from day to day.
  [/"amount":-[\d.]+,"quantity":\d+,"name":"[^"]+","source":"\w+"/g, '<transaction>'],
];

const blocks = readBlocks();
const checkout = path.join(mkdtempSync(path.join(tmpdir(), 'guildbook-readme-')), 'guildbook');
const toolchain = installToolchain(OLDEST);
try {
  copyCheckout(checkout);
  await runNpm(toolchain, checkout, ['ci', '--prefer-offline']);
  const service = await startService('npm', ['start'], {
    cwd: checkout,
    env: { ...toolchain.env, PORT: '3000' },
  });
  const welcome = await service.untilPrinted('Stop it with Ctrl-C');
  const printed = (name: string) => new RegExp(`${name} +(\\S+)`).exec(welcome)?.[1] ?? '';
  const values = { KEY: printed('Demo key'), BOT_TOKEN: printed('Bot token') };
  for (const { commands, expected } of blocks) {
    follow(commands, expected, values);
  }
  await service.stop();
  console.log(`\n${blocks.length} blocks of README.md were followed with npm ${OLDEST.npm}.`);
} finally {
  toolchain.remove();
  rmSync(path.dirname(checkout), { recursive: true, force: true });
}

interface Block {
  commands: string;
  expected: string | undefined;
}

/** The blocks of commands between the start of the demo and the tests, each with its output where one is shown. */
function readBlocks(): Block[] {
  const text = readFileSync(path.join(ROOT, 'README.md'), 'utf8');
  const pattern = /^```sh\n([\s\S]*?)^```\n(?:```(?:json)?\n([\s\S]*?)^```$)?/gm;
  const found = [...text.matchAll(pattern)].map(([, commands = '', expected]) => ({ commands, expected }));
  return found.filter(({ commands }) => !/^npm ci|^KEY=/.test(commands));
}

function follow(commands: string, expected: string | undefined, values: Record<string, string>): void {
  console.log(`\n$ ${commands.trimEnd()}`);
  const { status, stdout, stderr } = spawnSync('bash', ['-euo', 'pipefail', '-c', commands], {
    cwd: checkout,
    env: { ...toolchain.env, ...values },
    encoding: 'utf8',
  });
  console.log(stdout);
  if (status !== 0) {
    throw new Error(`ended with status ${status}:\n${stderr}`);
  }
  if (expected !== undefined && normalize(stdout) !== normalize(expected)) {
    throw new Error(
      `README.md shows another output:\n${normalize(expected)}\nThis was printed:\n${normalize(stdout)}`,
    );
  }
}

/** curl ends a line only where the answer does, so line ends are not compared. */
function normalize(output: string): string {
  const lines = VARIABLE.reduce(
    (text, [pattern, name]) => text.replaceAll(pattern, name),
    output.replaceAll('\r', ''),
  );
  return lines.replaceAll('\n', '');
}
