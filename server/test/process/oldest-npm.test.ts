import { spawnSync } from 'node:child_process';
import { cpSync, existsSync, mkdirSync, readFileSync, writeFileSync } from 'node:fs';
import path from 'node:path';
import { fileURLToPath } from 'node:url';
import { afterAll, beforeAll, expect, test } from 'vitest';
import {
  copyCheckout,
  installToolchain,
  OLDEST,
  readServingNode,
  runNpm,
  startService,
  type Toolchain,
} from '../../../scripts/npm-toolchain.ts';
import { createFolder } from '../support/folder.ts';

// The README's first command with the oldest npm and Node.js that it names. `npm run check:npm` covers others.

const BIN = fileURLToPath(new URL('../../bin', import.meta.url));
/** Installing takes as long as the registry and the disk take. */
const INSTALLING = { timeout: 900_000 };

let toolchain: Toolchain;
beforeAll(() => {
  toolchain = installToolchain(OLDEST);
}, INSTALLING.timeout);
afterAll(() => toolchain?.remove());

test(
  'npm ci and npm start work, without noise, and the service runs on the installed Node.js',
  INSTALLING,
  async () => {
    const checkout = path.join(createFolder(), 'checkout');
    copyCheckout(checkout);
    const installed = await runNpm(toolchain, checkout, ['ci', '--prefer-offline']);
    // This npm does not link the runtime, so nothing may rely on the link.
    expect(existsSync(path.join(checkout, 'node_modules/.bin/node'))).toBe(false);

    const service = await startService('npm', ['start'], { cwd: checkout, env: toolchain.env });
    const [key = ''] = /gbk_\w+/.exec(await service.untilPrinted('Stop it with Ctrl-C')) ?? [];
    const reply = await fetch(`${service.address}/users/mistseeker`, { headers: { 'x-api-key': key } });
    expect(await reply.json()).toMatchObject({ success: true, data: { username: 'mistseeker' } });
    const manifest = JSON.parse(readFileSync(path.join(BIN, '../package.json'), 'utf8'));
    expect(Object.values(manifest.optionalDependencies)).toContain(await readServingNode(service));
    expect([...installed, ...service.lines].join('\n')).not.toMatch(/EBADENGINE|PostCSS|gzip/);
    await service.stop();
    await expect(fetch(service.address)).rejects.toThrow();
  },
);

test('without an installed runtime the command names the Node.js to install, in one line', () => {
  const { status, stdout, stderr } = runLonely(path.join(toolchain.folder, 'bin/node'), '--version');
  expect({ status, stdout }).toEqual({ status: 1, stdout: '' });
  expect(stderr).toBe(
    `Guildbook needs Node.js 24 or newer and this is v${toolchain.node}: install Node.js 26, or install Guildbook ` +
      'with its optional packages, which contain one for common platforms.\n',
  );
});

test('without an installed runtime the command runs on a Node.js that is new enough', () => {
  const { status, stdout } = runLonely(process.execPath, '--version');
  expect({ status, stdout }).toEqual({ status: 0, stdout: 'on the own Node.js\n' });
});

test('an exit status and a signal pass through the launcher of an older Node.js', async () => {
  const node = path.join(toolchain.folder, 'bin/node');
  const program = path.join(BIN, 'guildbook.js');
  expect(spawnSync(node, [program, 'guild', 'nonsense']).status).toBe(2);
  const service = await startService(node, [program, 'serve'], {
    cwd: createFolder(),
    env: toolchain.env,
  });
  // The signal reaches launcher and service, and once more the service through the launcher: that is one request to stop.
  expect(await service.stop()).toBe(0);
  expect(service.lines.at(-1)).toContain('"msg":"stopped"');
});

/** Runs the command from a folder without packages around it, with a main module that only says that it was reached. */
function runLonely(node: string, ...args: string[]) {
  const folder = createFolder();
  cpSync(BIN, path.join(folder, 'bin'), { recursive: true });
  mkdirSync(path.join(folder, 'src'));
  writeFileSync(path.join(folder, 'src/main.js'), "console.log('on the own Node.js');");
  writeFileSync(path.join(folder, 'package.json'), '{"type":"module"}');
  return spawnSync(node, [path.join(folder, 'bin/guildbook.js'), ...args], {
    encoding: 'utf8',
    env: toolchain.env,
  });
}
