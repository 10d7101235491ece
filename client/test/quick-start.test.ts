import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { readFileSync } from 'node:fs';
import { fileURLToPath } from 'node:url';
import { expect, test } from 'vitest';
import { createFolder } from '../../server/test/support/folder.ts';
import { LONG_TEST, untilTrue } from '../../server/test/support/patience.ts';
import { endNow, startServer, watch } from '../../server/test/support/process.ts';

const README = readFileSync(new URL('../README.md', import.meta.url), 'utf8');
const CLIENT = fileURLToPath(new URL('../', import.meta.url));

test(
  'the quick start of the README works as it is pasted, with the key that the demo prints',
  LONG_TEST,
  async () => {
    const demo = await startServer({ cwd: createFolder(), command: 'demo' });
    await untilTrue(() => demo.output.some((line) => line.startsWith('Stop it with Ctrl-C')));
    const [, apiKey = ''] = /Demo key\s+(gbk_\w+)/.exec(demo.output.join('\n')) ?? [];
    const [, section = ''] = /## Quick start\n(.*?)\n## /s.exec(README) ?? [];
    const [, code = ''] = /```ts\n(.*?)```/s.exec(section) ?? [];
    expect(code).toContain('http://127.0.0.1:3000');
    const child = watch(
      spawn(
        process.execPath,
        // The demo of this test has a port of its own.
        ['--input-type=module-typescript', '--eval', code.replace('http://127.0.0.1:3000', demo.address)],
        { cwd: CLIENT, env: { ...process.env, GUILDBOOK_KEY: apiKey }, stdio: ['ignore', 'pipe', 'inherit'] },
      ),
    );
    let output = '';
    child.stdout.setEncoding('utf8').on('data', (chunk) => {
      output += chunk;
    });
    const [status] = await once(child, 'close');
    expect(status).toBe(0);
    const [first = '', second = ''] = output.split('\n');
    expect(first).toMatch(/^mistseeker now has -?[\d.]+$/);
    expect(second).toMatch(/^\d{4}-\d\d-\d\dT\S+Z Iron Ingot 37\.5$/);
    await endNow(demo.child);
  },
);
