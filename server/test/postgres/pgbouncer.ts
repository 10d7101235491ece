import { spawn } from 'node:child_process';
import { chownSync, readFileSync, writeFileSync } from 'node:fs';
import path from 'node:path';
import { fileURLToPath } from 'node:url';
import pg from 'pg';
import { reportOnFailure, shorten } from '../support/failure-report.ts';
import { createFolder } from '../support/folder.ts';
import { untilTrue } from '../support/patience.ts';
import { watch } from '../support/process.ts';
import { findSparePort } from '../support/spare-port.ts';
import { findAccount } from './server.ts';

/** Few, so that every session is handed from one client to another all the time. */
const SERVER_CONNECTIONS = 4;

const DOCUMENT = fileURLToPath(new URL('../../../docs/scaling.md', import.meta.url));

/** The settings that the documents recommend. */
function documentedSettings(): string {
  const [, settings] = /```ini\n\[pgbouncer\]\n([^`]+)```/.exec(readFileSync(DOCUMENT, 'utf8')) ?? [];
  if (settings === undefined) {
    throw new Error('docs/scaling.md has no settings of PgBouncer');
  }
  return settings;
}

/** PgBouncer in transaction mode before the server of that address. It ends with the tests of the file. */
export async function startPgBouncer(serverUrl: string): Promise<{ url(database: string): string }> {
  const socket = new URL(serverUrl).searchParams.get('host');
  const port = await findSparePort();
  const folder = createFolder();
  const file = path.join(folder, 'pgbouncer.ini');
  writeFileSync(
    file,
    `[databases]
* = host=${socket} user=guildbook
[pgbouncer]
listen_addr = 127.0.0.1
listen_port = ${port}
unix_socket_dir =
auth_type = any
${documentedSettings()}max_client_conn = 1000
default_pool_size = ${SERVER_CONNECTIONS}
`,
  );
  // It refuses to run as root, too.
  const account = findAccount();
  if (account !== undefined) {
    chownSync(folder, account.uid, account.gid);
  }
  const child = watch(
    spawn('pgbouncer', [file], {
      env: { PATH: `${process.env.PATH}:/usr/sbin:/usr/local/sbin` },
      stdio: ['ignore', 'ignore', 'pipe'],
      ...account,
    }),
  );
  const output: string[] = [];
  reportOnFailure('PgBouncer', () => shorten(output.join('')));
  child.stderr.on('data', (chunk) => output.push(String(chunk)));
  const failed = new Promise<never>((_resolve, reject) => {
    child.on('error', (error: NodeJS.ErrnoException) => {
      const isAbsent = error.code === 'ENOENT';
      reject(isAbsent ? new Error('PgBouncer is not installed: apt-get install pgbouncer') : error);
    });
    child.on('exit', () => reject(new Error(`PgBouncer ended:\n${output.join('')}`)));
  });
  failed.catch(() => {});
  const url = (database: string) => `postgres://guildbook@127.0.0.1:${port}/${database}?pooler=transaction`;
  await Promise.race([untilTrue(() => isAnswered(url('postgres'))), failed]);
  return { url };
}

async function isAnswered(url: string): Promise<boolean> {
  const client = new pg.Client({ connectionString: url });
  client.on('error', () => {});
  try {
    await client.connect();
    await client.end();
    return true;
  } catch {
    return false;
  }
}
