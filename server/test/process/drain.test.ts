import { once } from 'node:events';
import { Agent, type IncomingMessage, request } from 'node:http';
import { connect, type Socket } from 'node:net';
import { describe, expect, test } from 'vitest';
import { runInShared } from '../support/command-runner.ts';
import { createFolder } from '../support/folder.ts';
import { untilTrue } from '../support/patience.ts';
import { type ServerProcess, startServer } from '../support/process.ts';

const start = (env: Record<string, string> = {}) => startServer({ cwd: createFolder(), env });
const says = ({ output }: ServerProcess, text: string) => output.some((line) => line.includes(text));
const BOT_TOKEN = 'a-token-of-more-than-32-characters-4f1d';
const ENDED = { status: 0, signal: null };
/** The longest there is, for a busy machine. The test of the clients that never end takes longer, beside the others. */
const DRAIN_SECONDS = 5;
/** Two processes do not have quite the same clock. */
const TIMER_ERROR_MS = 50;

/** A connection on which the test writes what it wants, and reads what comes. */
async function open({ address }: ServerProcess): Promise<{ socket: Socket; text: () => string }> {
  const { hostname, port } = new URL(address);
  const socket = connect(Number(port), hostname);
  let text = '';
  socket.on('data', (chunk) => {
    text += chunk;
  });
  socket.on('error', () => {});
  await once(socket, 'connect');
  return { socket, text: () => text };
}

const POST_HEAD = 'POST /guild/ledger HTTP/1.1\r\nhost: x\r\ncontent-type: application/json\r\n';

/** Asks on the agent's one connection, which stays open for the next question if the server lets it. */
async function get(server: ServerProcess, path: string, agent: Agent): Promise<IncomingMessage> {
  const asked = request(`${server.address}${path}`, { agent }).end();
  const [reply] = (await once(asked, 'response')) as [IncomingMessage];
  reply.resume();
  await once(reply, 'end');
  return reply;
}

describe.concurrent('a service that is told to stop', () => {
  test('says first that it is not ready, goes on answering for the delay, and ends connections politely', async () => {
    const server = await start({ DRAIN_DELAY_SECONDS: String(DRAIN_SECONDS) });
    const agent = new Agent({ keepAlive: true, maxSockets: 1 });
    expect((await get(server, '/readyz', agent)).statusCode).toBe(200);
    const begunMs = performance.now();
    server.child.kill('SIGTERM');
    await untilTrue(() => says(server, '"msg":"stopping"'));

    // The first request reuses the open connection; each of the others opens a new one.
    for (const [path, status] of [
      ['/commands', 200],
      ['/readyz', 503],
      ['/livez', 200],
      ['/users/x', 401],
    ] as const) {
      const reply = await get(server, path, agent);
      expect(reply.statusCode).toBe(status);
      expect(reply.headers.connection).toBe('close');
    }
    expect(await server.ended).toEqual(ENDED);
    expect(performance.now() - begunMs).toBeGreaterThan(DRAIN_SECONDS * 1_000 - TIMER_ERROR_MS);
    await expect(fetch(`${server.address}/livez`)).rejects.toThrow();
    agent.destroy();
  });

  test('carries out a request whose body was under way, and closes its connection with the answer', async () => {
    const cwd = createFolder();
    const server = await startServer({ cwd, env: { BOT_TOKEN } });
    const { socket, text } = await open(server);
    const body = '{"name":"Emberhold"}';
    const head = `PUT /bot/guilds/42 HTTP/1.1\r\nhost: x\r\nauthorization: Bearer ${BOT_TOKEN}\r\n`;
    const type = `content-type: application/json\r\ncontent-length: ${body.length}\r\n\r\n`;
    socket.write(`${head}${type}${body.slice(0, 5)}`);
    const idle = await open(server);
    idle.socket.write('GET /livez HTTP/1.1\r\nhost: x\r\n\r\n');
    await untilTrue(() => idle.text().includes('alive'));
    const [idleClosed, closed] = [once(idle.socket, 'close'), once(socket, 'close')];
    server.child.kill('SIGTERM');
    await idleClosed;
    socket.write(body.slice(5));
    await closed;
    expect(text()).toMatch(/^HTTP\/1\.1 200 /);
    expect(text().toLowerCase()).toContain('\r\nconnection: close\r\n');
    expect(await server.ended).toEqual(ENDED);
    expect((await runInShared(['guild', 'show', '42'], { cwd })).stdout).toContain('Emberhold');
  });

  test('ends with status 0 within ten seconds, whatever its clients do', async () => {
    const server = await start({ DRAIN_DELAY_SECONDS: '1' });
    const stuck = await open(server);
    stuck.socket.write(`${POST_HEAD}content-length: 100\r\n\r\n{`);
    const halfHead = await open(server);
    halfHead.socket.write(POST_HEAD);
    const silent = await open(server);
    const deaf = await open(server);
    deaf.socket.pause();
    // The client never reads these answers, and they are more than the socket buffers hold.
    const pages = 'GET /openapi.json HTTP/1.1\r\nhost: x\r\n\r\n'.repeat(200);
    deaf.socket.write(pages);
    const busy = await open(server);
    busy.socket.write('GET /livez HTTP/1.1\r\nhost: x\r\n\r\n');
    await untilTrue(() => busy.text().includes('alive'));
    server.child.kill('SIGTERM');
    // After ten seconds of its own clock it would end with status 1, and without a cut-off not at all. A clock of the
    // test would also measure how long the machine takes to start and end things.
    expect(await server.ended).toEqual(ENDED);
    for (const { socket } of [stuck, halfHead, silent, deaf, busy]) {
      socket.destroy();
    }
  });

  test('ends at once when it is told twice', async () => {
    const server = await start({ DRAIN_DELAY_SECONDS: String(DRAIN_SECONDS) });
    server.child.kill('SIGTERM');
    await untilTrue(() => says(server, '"msg":"stopping"'));
    server.child.kill('SIGINT');
    // Had it waited for the delay, it would have stopped politely, said so and ended with status 0.
    expect(await server.ended).toEqual({ status: 1, signal: null });
    expect(says(server, '"msg":"stopped"')).toBe(false);
  });
});
