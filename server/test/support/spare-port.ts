import { createSocket } from 'node:dgram';
import { existsSync, readFileSync } from 'node:fs';
import { createServer } from 'node:net';

const FIRST_PORT = 10_000;
/** The first ephemeral port on systems without EPHEMERAL_FILE, as the standard defines it. */
const EPHEMERAL_DEFAULT = 49_152;
const EPHEMERAL_FILE = '/proc/sys/net/ipv4/ip_local_port_range';
/** The least number of ports to choose from, should the system give nearly all of them to outgoing connections. */
const CHOICE_MIN = 5_000;
const ATTEMPTS_MAX = 1_000;

/**
 * A port of the loopback interface on which nobody listens, reserved for the caller until this process ends. It lies
 * below the ports that the system gives to outgoing connections and to listeners on port 0, so that none of these takes
 * it before its owner does, nor between a stop and a restart of its owner.
 */
export async function findSparePort(): Promise<number> {
  const choice = Math.max(firstEphemeralPort() - FIRST_PORT, CHOICE_MIN);
  for (let attempt = 0; attempt < ATTEMPTS_MAX; attempt += 1) {
    const port = FIRST_PORT + Math.floor(Math.random() * choice);
    if ((await reserve(port)) && (await isFree(port))) {
      return port;
    }
  }
  throw new Error(`found no spare port from ${FIRST_PORT} to ${FIRST_PORT + choice - 1}`);
}

function firstEphemeralPort(): number {
  const text = existsSync(EPHEMERAL_FILE) ? readFileSync(EPHEMERAL_FILE, 'utf8') : '';
  return Number.parseInt(text, 10) || EPHEMERAL_DEFAULT;
}

/**
 * Takes the UDP port of the same number, which nobody here uses otherwise: of all processes that look for a spare port
 * only one can have it. The system lets go of it when the process ends, however it ends.
 */
function reserve(port: number): Promise<boolean> {
  return new Promise((resolve) => {
    const socket = createSocket('udp4').unref();
    socket.once('error', () => {
      socket.close();
      resolve(false);
    });
    socket.bind({ port, address: '127.0.0.1', exclusive: true }, () => resolve(true));
  });
}

function isFree(port: number): Promise<boolean> {
  return new Promise((resolve) => {
    const server = createServer();
    server.once('error', () => resolve(false));
    server.listen(port, '127.0.0.1', () => server.close(() => resolve(true)));
  });
}
