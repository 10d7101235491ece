import { spawn } from 'node:child_process';
import { writeFileSync } from 'node:fs';
import path from 'node:path';
import pg from 'pg';
import { reportOnFailure, shorten } from '../support/failure-report.ts';
import { createFolder } from '../support/folder.ts';
import { untilTrue } from '../support/patience.ts';
import { watch } from '../support/process.ts';
import { findSparePort } from '../support/spare-port.ts';
import { createPostgresServer, type PostgresServer } from './server.ts';

/** A primary and a synchronous standby behind haproxy, which leads to whichever of the two takes writes. */
export interface ReplicatedPair {
  /** The address of a database, wherever the primary is. */
  url(database: string): string;
  /** Kills the primary and promotes the standby. Resolves as soon as it is promoted. */
  failOver(): Promise<void>;
  /** Like `failOver`, but the primary is paused instead: its connections stay open and get no answers. */
  failOverFromHung(): Promise<void>;
  /** Gives the new primary a standby in place of the one it was, and waits until commits wait for it. */
  repair(): Promise<void>;
  remove(): Promise<void>;
}

export interface ReplicatedPairOptions {
  /** False when the proxy keeps the sessions of a primary that no longer answers. */
  endsSessions?: boolean;
}

export async function createReplicatedPair({
  endsSessions = true,
}: ReplicatedPairOptions = {}): Promise<ReplicatedPair> {
  const ports: [number, number] = [await findSparePort(), await findSparePort()];
  let primary = { port: ports[0], server: await createPostgresServer({ port: ports[0] }) };
  let standby: typeof primary | undefined;
  const hung: PostgresServer[] = [];
  const address = await startProxy(ports, endsSessions);

  async function repair(): Promise<void> {
    const port = ports[0] === primary.port ? ports[1] : ports[0];
    standby = { port, server: await createPostgresServer({ port, standbyOf: primary.server }) };
    await run(primary.server, `ALTER SYSTEM SET synchronous_standby_names = '*'`);
    await run(primary.server, 'SELECT pg_reload_conf()');
    await untilTrue(async () => {
      const [row] = await run(primary.server, 'SELECT sync_state FROM pg_stat_replication');
      return row?.sync_state === 'sync';
    });
  }

  async function promote(): Promise<void> {
    if (standby === undefined) throw new Error('there is no standby to promote');
    primary = standby;
    standby = undefined;
    await run(primary.server, 'SELECT pg_promote()');
  }

  await repair();
  return {
    url: (database) => `postgres://guildbook@${address}/${database}`,
    async failOver() {
      await primary.server.stop('immediate');
      await primary.server.remove();
      await promote();
    },
    async failOverFromHung() {
      primary.server.pause();
      hung.push(primary.server);
      await promote();
    },
    repair,
    async remove() {
      for (const server of hung) {
        server.kill();
      }
      await Promise.all([primary.server, standby?.server, ...hung].map((server) => server?.remove()));
    },
  };
}

async function run(server: PostgresServer, sql: string): Promise<Record<string, unknown>[]> {
  const client = new pg.Client({ connectionString: server.url('postgres') });
  await client.connect();
  try {
    return (await client.query(sql)).rows;
  } finally {
    await client.end();
  }
}

/** A client's messages that begin a session and ask whether the server is a standby, and the answer of a primary. */
const BEGIN = message('', `\0\u0003\0\0user\0guildbook\0database\0postgres\0\0`);
const ASK = message('Q', 'SELECT pg_is_in_recovery()\0');
const IS_PRIMARY = message('D', '\0\u0001\0\0\0\u0001f');
const READY_FOR_QUERY = message('Z', 'I');

/** A message of the server's protocol in hexadecimal digits: its kind, its length, its content. */
function message(kind: string, content: string): string {
  const length = Buffer.alloc(4);
  length.writeUInt32BE(4 + content.length);
  return Buffer.concat([Buffer.from(kind, 'latin1'), length, Buffer.from(content, 'latin1')]).toString('hex');
}

async function startProxy(ports: readonly number[], endsSessions: boolean): Promise<string> {
  const address = `127.0.0.1:${await findSparePort()}`;
  const file = path.join(createFolder(), 'haproxy.cfg');
  writeFileSync(
    file,
    `defaults
  mode tcp
  timeout connect 1s
  timeout client 1h
  timeout server 1h
  timeout check 1s
listen primary
  bind ${address}
  option tcp-check
  tcp-check connect
  tcp-check send-binary ${BEGIN}
  tcp-check expect binary ${READY_FOR_QUERY}
  tcp-check send-binary ${ASK}
  tcp-check expect binary ${IS_PRIMARY}
  default-server inter 200ms fall 1 rise 1${endsSessions ? ' on-marked-down shutdown-sessions' : ''}
${ports.map((port) => `  server at${port} 127.0.0.1:${port} check`).join('\n')}
`,
  );
  const child = watch(
    spawn('haproxy', ['-db', '-f', file], {
      env: { PATH: `${process.env.PATH}:/usr/sbin:/usr/local/sbin` },
      stdio: ['ignore', 'ignore', 'pipe'],
    }),
  );
  const output: string[] = [];
  reportOnFailure('haproxy', () => shorten(output.join('')));
  child.stderr.on('data', (chunk) => output.push(String(chunk)));
  child.on('error', (error) => output.push(String(error)));
  await untilTrue(async () => {
    const client = new pg.Client({ connectionString: `postgres://guildbook@${address}/postgres` });
    client.on('error', () => {});
    return client.connect().then(
      async () => {
        await client.end();
        return true;
      },
      () => false,
    );
  });
  return address;
}
