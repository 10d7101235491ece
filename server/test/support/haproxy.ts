import { spawn } from 'node:child_process';
import { fileURLToPath } from 'node:url';
import { reportOnFailure, shorten } from './failure-report.ts';
import { untilTrue } from './patience.ts';
import { watch } from './process.ts';
import { findSparePort } from './spare-port.ts';

const EXAMPLE = fileURLToPath(new URL('../../../deploy/haproxy.cfg', import.meta.url));

/** The documented haproxy in front of three instances, and its address. It ends with the tests of the file. */
export async function startHaproxy(ports: readonly [number, number, number]): Promise<string> {
  const bind = `127.0.0.1:${await findSparePort()}`;
  const [one, two, three] = ports.map((port) => `127.0.0.1:${port}`);
  // Debian keeps it where only root looks.
  const path = `${process.env.PATH}:/usr/sbin:/usr/local/sbin`;
  const child = watch(
    spawn('haproxy', ['-db', '-f', EXAMPLE], {
      env: {
        PATH: path,
        GUILDBOOK_BIND: bind,
        GUILDBOOK_ONE: one,
        GUILDBOOK_TWO: two,
        GUILDBOOK_THREE: three,
      },
      stdio: ['ignore', 'ignore', 'pipe'],
    }),
  );
  const output: string[] = [];
  reportOnFailure('haproxy', () => shorten(output.join('')));
  child.stderr.on('data', (chunk) => output.push(String(chunk)));
  const failed = new Promise<never>((_resolve, reject) => {
    child.on('error', (error: NodeJS.ErrnoException) => {
      const isAbsent = error.code === 'ENOENT';
      reject(isAbsent ? new Error('haproxy is not installed: apt-get install haproxy') : error);
    });
    child.on('exit', () => reject(new Error(`haproxy ended:\n${output.join('')}`)));
  });
  failed.catch(() => {});
  const address = `http://${bind}`;
  await Promise.race([untilTrue(() => isAnswered(`${address}/commands`)), failed]);
  return address;
}

async function isAnswered(url: string): Promise<boolean> {
  try {
    const reply = await fetch(url);
    await reply.text();
    return reply.status === 200;
  } catch {
    return false;
  }
}
