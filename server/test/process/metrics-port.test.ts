import { once } from 'node:events';
import { Agent, get } from 'node:http';
import { type AddressInfo, createServer } from 'node:net';
import { expect, onTestFinished, test } from 'vitest';
import { createFolder } from '../support/folder.ts';
import { LONG_TEST, untilTrue } from '../support/patience.ts';
import { runCommand, type ServerProcess, startServer } from '../support/process.ts';

const ENDED = { status: 0, signal: null };
/** The port of the metrics when no other is set. */
const USUAL_PORT = 9464;

/** Takes a port of the loopback interface, unless somebody has it already. */
async function occupy(port: number): Promise<number> {
  const server = createServer().listen(port, '127.0.0.1');
  onTestFinished(() => {
    server.close();
  });
  try {
    await once(server, 'listening');
  } catch {
    return port;
  }
  // A server that listens on a port, and not on a pipe, has an address with one.
  return (server.address() as AddressInfo).port;
}

async function stop(server: ServerProcess): Promise<void> {
  server.child.kill('SIGTERM');
  expect(await server.ended).toEqual(ENDED);
}

test('a port of the metrics that is in use ends the start, and the message names the setting', async () => {
  const METRICS_PORT = String(await occupy(0));
  const { status, stdout, stderr } = await runCommand(['serve'], {
    cwd: createFolder(),
    env: { PORT: '0', METRICS_PORT },
  });
  expect(status).toBe(1);
  expect(stderr).toBe(
    `guildbook: port ${METRICS_PORT} is in use: set METRICS_PORT to another one, as in METRICS_PORT=9465\n`,
  );
  // It answered nobody on its main port before it failed.
  expect(stdout).not.toContain('Server listening');
});

test('a METRICS_HOST that is not of this machine ends the start', async () => {
  const env = { PORT: '0', METRICS_HOST: '192.0.2.1' };
  const { status, stderr } = await runCommand(['serve'], { cwd: createFolder(), env });
  expect(status).toBe(1);
  expect(stderr).toMatch(/^guildbook: METRICS_HOST=192\.0\.2\.1 is no address of this machine/);
});

test('METRICS_PORT=off serves no metrics', async () => {
  const server = await startServer({ cwd: createFolder(), env: { METRICS_PORT: 'off' } });
  expect(server.metricsUrl()).toBe('');
  expect((await server.ask('/metrics')).status).toBe(404);
  await stop(server);
});

test('other values of METRICS_PORT are refused', async () => {
  for (const METRICS_PORT of ['on', '-1', '65536', '9464a']) {
    const { status, stderr } = await runCommand(['serve'], { cwd: createFolder(), env: { METRICS_PORT } });
    expect(status).toBe(1);
    expect(stderr).toContain('METRICS_PORT: must be an integer from 0 to 65535, or off');
  }
});

test('the demo starts although another program has the usual port of the metrics', LONG_TEST, async () => {
  await occupy(USUAL_PORT);
  const env = { METRICS_PORT: '', LOG_LEVEL: 'info' };
  const demo = await startServer({ cwd: createFolder(), command: 'demo', env });
  expect(demo.metricsUrl()).toBe('');
  await stop(demo);
});

test('a service that stops shows its metrics until its requests are done, and no scraper keeps it', async () => {
  const server = await startServer({ cwd: createFolder(), env: { DRAIN_DELAY_SECONDS: '2' } });
  const agent = new Agent({ keepAlive: true });
  onTestFinished(() => agent.destroy());
  const scrape = async () => {
    const [reply] = await once(get(server.metricsUrl(), { agent }), 'response');
    reply.resume();
    return reply.statusCode;
  };
  expect(await scrape()).toBe(200);
  server.child.kill('SIGTERM');
  await untilTrue(() => server.output.some((line) => line.includes('"msg":"stopping"')));
  expect(await scrape()).toBe(200);
  expect(await server.ended).toEqual(ENDED);
});
