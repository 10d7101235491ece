import { spawn, spawnSync } from 'node:child_process';
import { createHmac, randomBytes } from 'node:crypto';
import { once } from 'node:events';
import { readFileSync } from 'node:fs';
import { fileURLToPath } from 'node:url';
import { expect, test } from 'vitest';
import { untilTrue } from '../support/patience.ts';
import { endNow, watch } from '../support/process.ts';
import { findSparePort } from '../support/spare-port.ts';

// The examples of docs/webhooks.md as people would paste them. The one in Luau has no interpreter here and is only read.

const SERVER = fileURLToPath(new URL('../../', import.meta.url));
const PAGE = readFileSync(new URL('../../../docs/webhooks.md', import.meta.url), 'utf8');
const hasPython = spawnSync('python3', ['--version']).status === 0;

const BYTES = randomBytes(24);
const SECRET = `whsec_${BYTES.toString('base64')}`;
const BODY = '{"type":"webhook.test","timestamp":"2026-11-14T20:15:30.123Z","data":{"name":"Ünï"}}';

function exampleIn(language: string): string {
  const [, code = ''] = new RegExp(`\`\`\`${language}\\n(.*?)\`\`\``, 's').exec(PAGE) ?? [];
  expect(code).not.toBe('');
  return code;
}

function headersFor(body: string, sentAt = Math.floor(Date.now() / 1_000)): Record<string, string> {
  const signature = createHmac('sha256', BYTES).update(`evt_1.${sentAt}.${body}`).digest('base64');
  return {
    'webhook-id': 'evt_1',
    'webhook-timestamp': String(sentAt),
    // Two while a secret is rotated, the one that fits in second place.
    'webhook-signature': `v1,${Buffer.alloc(32).toString('base64')} v1,${signature}`,
  };
}

const OLD = Math.floor(Date.now() / 1_000) - 3_600;

test('the example in TypeScript takes what is genuine and refuses everything else', async () => {
  const port = await findSparePort();
  const code = exampleIn('ts').replace('listen(8080)', `listen(${port})`);
  const child = watch(
    spawn(process.execPath, ['--input-type=module-typescript', '--eval', code], {
      cwd: SERVER,
      env: { ...process.env, WEBHOOK_SECRET: SECRET },
      stdio: ['ignore', 'ignore', 'inherit'],
    }),
  );
  const send = async (body: string, headers: Record<string, string>) =>
    (await fetch(`http://127.0.0.1:${port}`, { method: 'POST', body, headers })).status;
  await untilTrue(async () => (await send('', {}).catch(() => 0)) === 400);
  expect(await send(BODY, headersFor(BODY))).toBe(204);
  expect(await send(`${BODY} `, headersFor(BODY))).toBe(400);
  expect(await send(BODY, headersFor(BODY, OLD))).toBe(400);
  await endNow(child);
});

test.skipIf(!hasPython)('the example in Python says what is genuine', async () => {
  const cases = [
    [headersFor(BODY), BODY],
    [headersFor(BODY), `${BODY} `],
    [headersFor(BODY, OLD), BODY],
  ];
  const program = `${exampleIn('python')}
import json, sys
secret, cases = json.load(sys.stdin)
print([verify(secret, headers, body.encode()) for headers, body in cases])
`;
  const child = watch(spawn('python3', ['-c', program], { stdio: ['pipe', 'pipe', 'inherit'] }));
  child.stdin.end(JSON.stringify([SECRET, cases]));
  const chunks: Buffer[] = [];
  child.stdout.on('data', (chunk) => chunks.push(chunk));
  await once(child, 'close');
  expect(Buffer.concat(chunks).toString().trim()).toBe('[True, False, False]');
});
